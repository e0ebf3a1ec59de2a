/** Every file of a new venue, from the templates of deploy/ and the answers. */

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { secretFileName, VARIABLES, type Variable, type VariableName } from '@venue/config';
import type { Answers } from './answers.ts';
import { peopleFiles } from './people.ts';
import {
  EDGE,
  MONEY_PROCESSES,
  type NewFile,
  PAPER_PROCESSES,
  SECRETS,
  SETTINGS,
  TEMPLATES,
  UNITS,
  USERS_FILE,
  VAULT_FILE,
} from './places.ts';

/** The name in the templates that stands for that of the venue. */
const EXAMPLE_NAME = /venue\.example\.com/g;

/** All files but the secrets that `make-secrets` makes up. */
export function filesOf({ isRealMoney, name, values, vault, people }: Answers): NewFile[] {
  const settings = (isRealMoney ? MONEY_PROCESSES : PAPER_PROCESSES).map((process) => ({
    path: `${SETTINGS}/${process}.env`,
    text: filled(isRealMoney && process === 'exchange' ? template('systemd/real-money.env') : '', [
      ...[...values].filter(([variable]) => isSettingOf(process, variable)),
      ...metricsPortOf(process),
      ...(process === 'exchange' ? pastOf(values) : []),
    ]),
  }));
  const secrets = [...values]
    .filter(([variable]) => isSecret(variable))
    .map(([variable, text]) => ({
      path: `${SECRETS}/${secretFileName(variable)}`,
      text: `${text}\n`,
    }));
  return [
    ...settings.filter(({ text }) => text !== ''),
    ...secrets,
    ...peopleFiles(people),
    ...(vault === null ? [] : [{ path: VAULT_FILE, text: vault.file }]),
    ...unitFiles(),
    { path: USERS_FILE, text: template('systemd/venue.sysusers.conf') },
    ...templatesOf('nginx/machine/*.conf', EDGE).map(({ path, text }) => ({
      path,
      text: text.replaceAll(EXAMPLE_NAME, name),
    })),
  ];
}

/** The units as this release has them. */
export function unitFiles(): NewFile[] {
  return templatesOf('systemd/*.{service,timer}', UNITS);
}

function templatesOf(pattern: string, folder: string): NewFile[] {
  return globSync(pattern, { cwd: TEMPLATES })
    .sort()
    .map((path) => ({ path: `${folder}/${basename(path)}`, text: template(path) }));
}

function template(path: string): string {
  return readFileSync(join(TEMPLATES, path), 'utf8');
}

function isSettingOf(process: string, name: VariableName): boolean {
  const { readBy = [], neededBy = [] }: Variable = VARIABLES[name];
  return !isSecret(name) && [...readBy, ...neededBy].some((reader) => reader === process);
}

/** The metrics port of a process, as the shipped configuration of Prometheus has it. */
function metricsPortOf(process: string): [string, string][] {
  const job = new RegExp(`job_name: venue-${process}\\n[^]*?targets: \\["127\\.0\\.0\\.1:(\\d+)"\\]`);
  const [, port] = job.exec(template('prometheus/prometheus.yml')) ?? [];
  return port === undefined ? [] : [[`VENUE_${process.toUpperCase()}_METRICS_PORT`, port]];
}

/** A simulated market may have a past (HIS-5). Real money never has simulated prices. */
function pastOf(values: Answers['values']): [VariableName, string][] {
  return values.get('VENUE_FEED_SOURCE') === 'simulated' ? [['VENUE_SIMULATED_PAST', '1']] : [];
}

function isSecret(name: VariableName): boolean {
  const { secret }: Variable = VARIABLES[name];
  return secret === true;
}

/** Sets variables where a file of them names them, commented out or not, and otherwise at its end. */
function filled(text: string, values: readonly (readonly [string, string])[]): string {
  return values.reduce((file, [name, value]) => {
    const line = new RegExp(`^#?${name}=.*$`, 'm');
    return line.test(file) ? file.replace(line, () => `${name}=${value}`) : `${file}${name}=${value}\n`;
  }, text);
}
