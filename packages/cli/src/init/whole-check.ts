/** `venue init --check`: whether everything on this machine fits together, before its processes are started. */

import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Environment, Finding } from '@venue/config';
import { CHECKS } from '../process/process-checks.ts';
import { unitFiles } from './layout.ts';
import {
  EDGE,
  HANDOVER,
  type Installed,
  MONEY_PROCESSES,
  PAPER_PROCESSES,
  SECRETS,
  SETTINGS,
} from './places.ts';
import { settingsOf, unitEnvironment } from './unit.ts';

const OTHERS = 0o077;
const DAY_MS = 86_400_000;
/** certbot renews 30 days before the end: past this, several renewals have failed. */
const CERTIFICATE_DAYS_MIN = 14;

/** The findings of every process as its unit starts it, and of what no single process sees. */
export async function checkWhole(root: string, now: number): Promise<Finding[]> {
  const isRealMoney = settingsOf(root, 'exchange').VENUE_FUNDING_MODE === 'deposits';
  const environments = new Map(
    processesOf(root, isRealMoney).map((name) => [name, unitEnvironment(root, name)] as const),
  );
  const ofProcesses: Finding[] = [];
  for (const [name, env] of environments) ofProcesses.push(...(await processFindings(name, env)));
  return [
    ...ofProcesses,
    ...secretFindings(root),
    ...unitFindings(root),
    ...(isRealMoney ? moneyFindings(environments) : []),
    ...edgeFindings(root, now),
  ];
}

function processesOf(root: string, isRealMoney: boolean): Installed[] {
  const all: readonly Installed[] = isRealMoney ? MONEY_PROCESSES : PAPER_PROCESSES;
  return existsSync(join(root, SETTINGS, 'attestor.env')) ? [...all, 'attestor'] : [...all];
}

async function processFindings(name: Installed, env: Environment | null): Promise<Finding[]> {
  if (env === null) return [wrong(`${name}: venue-${name}.service is not installed; "venue init" writes it`)];
  const findings = await CHECKS[name](env);
  return findings.map(({ ok, text }) => ({ ok, text: `${name}: ${text}` }));
}

function secretFindings(root: string): Finding[] {
  const folder = join(root, SECRETS);
  if (!existsSync(folder)) return [wrong(`secrets: ${folder} is not there`)];
  const names = readdirSync(folder).filter((name) => name !== basename(HANDOVER));
  const open = [folder, ...names.map((name) => join(folder, name))].filter(
    (path) => (statSync(path).mode & OTHERS) !== 0,
  );
  const faults = open.map((path) =>
    wrong(`secrets: ${path} is open to others; take their rights away (chmod go=)`),
  );
  const all = [...faults, ...handoverFindings(root)];
  return all.length > 0 ? all : [{ ok: true, text: `secrets: ${names.length}, for their owner alone` }];
}

/** A secret that stays here is known to two: its owner, and this machine. */
function handoverFindings(root: string): Finding[] {
  const folder = join(root, HANDOVER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) =>
    wrong(`secrets: that of ${name} waits in ${join(folder, name)}; once they have it, remove it here`),
  );
}

/** A change by `systemctl edit` stands beside the unit, which stays that of the release. */
function unitFindings(root: string): Finding[] {
  const others = unitFiles().filter(({ path, text }) => {
    const place = join(root, path);
    return !existsSync(place) || readFileSync(place, 'utf8') !== text;
  });
  if (others.length === 0) return [{ ok: true, text: 'units: those of this release' }];
  return others.map(({ path }) => wrong(`units: ${path} is not that of this release; install it again`));
}

/** Faults that no process sees alone: prices are real, two people can settle, and both daemons see one vault. */
function moneyFindings(environments: ReadonlyMap<Installed, Environment | null>): Finding[] {
  const settingOf = (name: Installed, variable: string) => environments.get(name)?.[variable];
  const faults: Finding[] = [];
  const source = settingOf('feed', 'VENUE_FEED_SOURCE');
  if (source === undefined || source === 'simulated')
    faults.push(wrong('feed: VENUE_FEED_SOURCE has to name live prices, as the venue holds real money'));
  // Named operators settle instead; whether two of them may, the exchange's own check says.
  const areNamed = settingOf('exchange', 'VENUE_OPERATORS') ?? settingOf('exchange', 'VENUE_OPERATORS_FILE');
  for (const variable of areNamed ? [] : ['VENUE_SETTLE_HASH_1', 'VENUE_SETTLE_HASH_2'])
    if (!settingOf('exchange', variable))
      faults.push(wrong(`exchange: ${variable} is not set, so what the oracle refuses stays unsettled`));
  for (const variable of ['VENUE_CHAIN_ID', 'VENUE_VAULT_ADDRESS', 'VENUE_TOKEN_ADDRESS'])
    if (settingOf('watcher', variable) !== settingOf('batcher', variable))
      faults.push(wrong(`watcher and batcher differ in ${variable}`));
  return faults;
}

function edgeFindings(root: string, now: number): Finding[] {
  const path = join(root, EDGE, 'listen.conf');
  if (!existsSync(path)) return [wrong(`nginx: ${path} is not there`)];
  const text = readFileSync(path, 'utf8');
  const name = /server_name\s+(\S+);/.exec(text)?.[1] ?? '';
  const certificate = join(root, /ssl_certificate\s+(\S+);/.exec(text)?.[1] ?? '');
  if (!existsSync(certificate)) return [wrong(`nginx: no certificate for ${name} at ${certificate}`)];
  return [certificateFinding(name, new X509Certificate(readFileSync(certificate)), now)];
}

function certificateFinding(name: string, certificate: X509Certificate, now: number): Finding {
  if (certificate.checkHost(name) === undefined)
    return wrong(`nginx: the certificate is for ${certificate.subjectAltName ?? 'nobody'}, not for ${name}`);
  const days = Math.floor((Date.parse(certificate.validTo) - now) / DAY_MS);
  return days < CERTIFICATE_DAYS_MIN
    ? wrong(`nginx: the certificate for ${name} ends in ${days} days; try certbot renew --dry-run`)
    : { ok: true, text: `nginx: the certificate for ${name} is good for ${days} days` };
}

function wrong(text: string): Finding {
  return { ok: false, text };
}
