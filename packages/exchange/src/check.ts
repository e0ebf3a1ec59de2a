/** `venue exchange --check` and `venue follower --check`: whether one could start here, without starting or changing anything. */

import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError, checkVariables, type Environment, type Finding, faultOf } from '@venue/config';
import { LogAbsentError, type LogReader, openLogReader, parseLogSpec } from '@venue/log';
import { checkStamp, STAMPED_PARAMETERS, stampOf } from '@venue/replay';
import { loadTracing } from '@venue/telemetry';
import { sharedSecrets } from './auth/credentials.ts';
import { type Config, loadConfig, loadFollowerConfig, type ServingConfig } from './config.ts';
import { explain } from './explain.ts';

/** Returns the findings, the variables first. Without a sound configuration nothing else is checked. */
export async function checkExchange(env: Environment): Promise<Finding[]> {
  const variables = checkVariables('exchange', env);
  if (variables.some(({ ok }) => !ok)) return variables;
  // Faults that span several variables: secrets that must differ, files that must exist.
  const joint = faultOf(() => loadConfig(env));
  if (joint.length > 0) return joint.map((text) => ({ ok: false, text }));
  const config = loadConfig(env);
  const found = [
    ...variables,
    ...secretsFindings(config),
    pricesFinding(config),
    ...(await tracingFinding(config)),
  ];
  return [...found, await logFinding(config), ...historyFinding(config)];
}

/** The same for `venue follower --check`: its log is there, and others may be writing it. */
export async function checkFollower(env: Environment): Promise<Finding[]> {
  const variables = checkVariables('follower', env);
  if (variables.some(({ ok }) => !ok)) return variables;
  const joint = faultOf(() => loadFollowerConfig(env));
  if (joint.length > 0) return joint.map((text) => ({ ok: false, text }));
  const config = loadFollowerConfig(env);
  const log = await readable(config).catch((error) => faultFinding(config, error));
  return [...variables, ...(await tracingFinding(config)), log, ...historyFinding(config)];
}

function secretsFindings({ secrets, operators, parameters: { fundingMode } }: Config): Finding[] {
  const all = Object.values(secrets);
  const set = all.filter((secret) => secret !== null).length;
  const shared = fundingMode === 'deposits' ? sharedSecrets(secrets, operators) : [];
  const named = operators.length === 0 ? [] : [`operators: ${operators.map(({ name }) => name).join(', ')}`];
  return [`${fundingMode} mode, ${set} of ${all.length} secrets set`, ...named, ...shared].map((text) => ({
    ok: true,
    text,
  }));
}

/** A demo, which takes simulated prices with real money, starts anyway: it does not ask (FEED-1). */
function pricesFinding({ takesSimulatedPrices, parameters: { fundingMode } }: Config): Finding {
  if (fundingMode === 'paper') return { ok: true, text: 'prices may be simulated' };
  return takesSimulatedPrices
    ? { ok: false, text: 'VENUE_SIMULATED_PRICES is 1: real money would trade at simulated prices' }
    : { ok: true, text: 'simulated prices are refused; the feed needs a VENUE_FEED_SOURCE' };
}

async function tracingFinding({ tracing }: ServingConfig): Promise<Finding[]> {
  if (tracing === null) return [];
  const fault = await loadTracing().then(() => null, explain);
  return [{ ok: fault === null, text: fault ?? 'traces can be sent' }];
}

async function logFinding(config: Config): Promise<Finding> {
  const spec = parseLogSpec(config.log);
  if (spec.kind === 'sqlite' && !existsSync(spec.path)) return newLogFinding(config, folderFault(spec.path));
  try {
    return await readable(config, (reader) => checkMode(reader, config.parameters));
  } catch (error) {
    return error instanceof LogAbsentError
      ? newLogFinding(config, error.obstacle)
      : faultFinding(config, error);
  }
}

/** A log that the first start creates, unless there is an obstacle. */
function newLogFinding({ log }: ServingConfig, obstacle: string | undefined): Finding {
  const named = `log ${parseLogSpec(log).shown}`;
  return obstacle === undefined
    ? { ok: true, text: `${named} is not there yet and would be made` }
    : { ok: false, text: `${named}: ${obstacle}` };
}

function faultFinding({ log }: ServingConfig, error: unknown): Finding {
  return { ok: false, text: `log ${parseLogSpec(log).shown}: ${explain(error)}` };
}

/** Opens the log as `venue verify` does, which works beside a running node. */
async function readable(
  { log }: ServingConfig,
  check?: (reader: LogReader) => Promise<void>,
): Promise<Finding> {
  const reader = await openLogReader(log);
  try {
    await checkStamp(reader);
    await check?.(reader);
    const { seq } = await reader.head();
    // A noted head may be ahead of the file's content (LOG-2).
    if (seq > (await reader.chainStart()).seq) await reader.readEntries(seq, seq);
    return { ok: true, text: `log ${parseLogSpec(log).shown} can be read; its last entry is ${seq}` };
  } finally {
    await reader.close();
  }
}

async function checkMode(reader: LogReader, parameters: Config['parameters']): Promise<void> {
  const stamp = await reader.readStamp();
  const wanted = stampOf(parameters);
  for (const key of STAMPED_PARAMETERS) {
    const actual = stamp.get(key);
    if (actual !== undefined && actual !== wanted.get(key))
      throw new ConfigError(`it was made with ${key} ${actual}, and the environment says ${wanted.get(key)}`);
  }
}

function historyFinding({ history }: ServingConfig): Finding[] {
  const fault = history === null ? undefined : folderFault(history);
  return fault === undefined ? [] : [{ ok: false, text: `VENUE_HISTORY: ${fault}` }];
}

/** Why no file can be made at this path: of a path, only the last folder is made. */
function folderFault(path: string): string | undefined {
  const folder = dirname(resolve(path));
  return isFolder(folder) || isFolder(dirname(folder))
    ? undefined
    : `the folder ${dirname(folder)} is not there`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
