/** The configuration, read from the environment once. No other file of the exchange reads the environment. */

import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  ConfigError,
  type Environment,
  type NamedOperator,
  readVariables,
  refuseUnknownNames,
  SECRET_LENGTH_MIN,
  type Values,
} from '@venue/config';
import { FEATURE_LEVEL, type VenueParameters } from '@venue/engine';
import { parseLogSpec } from '@venue/log';
import { toMicros, ZERO } from '@venue/protocol';
import type { TracingOptions } from '@venue/telemetry';
import {
  assertOperators,
  assertSecrets,
  assertSettleSecrets,
  type Secret,
  type Secrets,
} from './auth/credentials.ts';
import type { TerminalFiles } from './http/routes/terminal.ts';

/** The configuration that nodes and followers share. */
export interface ServingConfig {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** The log, in the form that `openLog` takes; may hold a password. */
  readonly log: string;
  /** File of the history of all accounts; null for none. */
  readonly history: string | null;
  /** Folder of the daily files; null for none. */
  readonly files: string | null;
  /** True where charts of a paper market begin before its first price (HIS-5). */
  readonly showsSimulatedPast: boolean;
  /** The files of the trading terminal; null serves none. */
  readonly terminal: TerminalFiles | null;
  readonly logLevel: string;
  /** Destination of traces, and the share of requests traced; null for no tracing. */
  readonly tracing: Pick<TracingOptions, 'url' | 'share'> | null;
  readonly wsTickMs: number;
  readonly streamTickMs: number;
  /** Time for which a stopping node keeps answering while not ready. */
  readonly drainMs: number;
  /** Lets other machines read the metrics; null lets none. */
  readonly metricsToken: string | null;
  /** Seals bearer tokens; with null the process makes one up that lasts until it ends. */
  readonly tokenSecret: string | null;
  /** Entries that the operator has chosen to leave out of the replay. */
  readonly skipSeqs: ReadonlySet<number>;
}

export interface Config extends ServingConfig {
  /** Always true in deposits mode, regardless of the flag (AUTH-3). */
  readonly signingRequired: boolean;
  /** True with paper money, and for a demo with real money (FEED-1). */
  readonly takesSimulatedPrices: boolean;
  /** True if a single PostgreSQL server may hold the log without a standby. */
  readonly logSingle: boolean;
  /**
   * The folder beside a log in a file that old entries are archived to, and the interval; null if they are never
   * archived.
   */
  readonly archive: { readonly folder: string; readonly everyMs: number } | null;
  readonly secrets: Secrets;
  /** Operators with names; empty where the shared secret is all there is (OPS-2). */
  readonly operators: readonly NamedOperator[];
  /** Parameters of the engine; part of the state once the log has them (FINE-4). */
  readonly parameters: VenueParameters;
}

export interface FollowerConfig extends ServingConfig {
  /** The address of the nodes, told to clients that send a write; null if the operator has not set it. */
  readonly nodeUrl: string | null;
}

type ExchangeValues = Values<'exchange'>;
/** Variables that nodes and followers share. */
type ServingValues = Pick<Values<'follower'>, keyof Values<'follower'> & keyof ExchangeValues>;

/**
 * The configuration to run with; an empty variable counts as absent. Throws `ConfigError`.
 *
 * @example loadConfig({ VENUE_PORT: 'abc' }) // VENUE_PORT must be an integer from 0 to 65535, not "abc"
 */
export function loadConfig(env: Environment = process.env): Config {
  const values = readVariables('exchange', env);
  const isDeposits = values.VENUE_FUNDING_MODE === 'deposits';
  if (isDeposits) refuseUnknownNames(env);
  if (isDeposits && values.VENUE_SIMULATED_PAST)
    throw new ConfigError(
      'VENUE_SIMULATED_PAST is for paper money: with real money a chart shows prices that were taken (HIS-5)',
    );
  const log = checkedLogSpec(values.VENUE_LOG);
  return {
    ...serving(values, log, { history: 'history.db', files: 'files' }),
    signingRequired: isDeposits || values.VENUE_REQUIRE_SIGNED_ORDERS,
    takesSimulatedPrices: !isDeposits || values.VENUE_SIMULATED_PRICES,
    logSingle: values.VENUE_LOG_SINGLE,
    archive: archiving(values.VENUE_ARCHIVE_MS, log),
    secrets: secrets(values),
    operators: values.VENUE_OPERATORS ?? [],
    parameters: parameters(values),
  };
}

/**
 * The configuration of a follower: the rules of the market are those of the log. Throws `ConfigError`.
 *
 * @example loadFollowerConfig({ VENUE_PORT: '8081' }).history // './data/venue-follower-8081.db'
 */
export function loadFollowerConfig(env: Environment = process.env): FollowerConfig {
  const values = readVariables('follower', env);
  const log = checkedLogSpec(values.VENUE_LOG);
  // Each follower of a machine keeps its own, and they listen on different ports.
  const own = `follower-${values.VENUE_PORT}`;
  return {
    ...serving(values, log, { history: `${own}.db`, files: `${own}-files` }),
    nodeUrl: values.VENUE_NODE_URL,
  };
}

/** Names beside the log, for what no variable places. */
interface OwnNames {
  readonly history: string;
  readonly files: string;
}

function serving(values: ServingValues, log: string, own: OwnNames): ServingConfig {
  return {
    host: values.VENUE_HOST,
    port: values.VENUE_PORT,
    log,
    history: historyPath(values.VENUE_HISTORY, log, own.history),
    files: filesFolder(values.VENUE_FILES, log, own.files),
    showsSimulatedPast: values.VENUE_SIMULATED_PAST,
    terminal: terminalFiles(values),
    logLevel: values.VENUE_LOG_LEVEL,
    tracing: tracing(values),
    wsTickMs: values.VENUE_WS_TICK_MS,
    streamTickMs: values.VENUE_STREAM_TICK_MS,
    drainMs: values.VENUE_DRAIN_MS,
    metricsToken: metricsToken(values),
    tokenSecret: values.VENUE_TOKEN_SECRET,
    skipSeqs: values.VENUE_SKIP_SEQ ?? new Set(),
  };
}

/**
 * Only the log, in the form that `openLog` takes. Throws `ConfigError`, which hides the value because it may hold a
 * password.
 */
export function loadLogSpec(env: Environment = process.env): string {
  return checkedLogSpec(readVariables('verify', env).VENUE_LOG);
}

function checkedLogSpec(spec: string): string {
  try {
    parseLogSpec(spec);
    return spec;
  } catch (error) {
    throw new ConfigError(`VENUE_LOG: ${(error as Error).message}`);
  }
}

function tracing({
  VENUE_TRACE_URL: url,
  VENUE_TRACE_SHARE: share,
}: ServingValues): ServingConfig['tracing'] {
  return url === null ? null : { url, share };
}

function parameters(values: ExchangeValues): VenueParameters {
  const marginPremium = values.VENUE_FUNDING_MODE === 'paper' ? 'mark' : 'intrinsic';
  return {
    version: FEATURE_LEVEL,
    fundingMode: values.VENUE_FUNDING_MODE,
    marginPremium: values.VENUE_MARGIN_PREMIUM ?? marginPremium,
    symbols: values.VENUE_SYMBOLS,
    paperCashMicros: values.VENUE_PAPER_CASH,
    houseLineMicros: values.VENUE_HOUSE_LINE ?? HOUSE_LINE_MICROS,
    strikesPerSide: values.VENUE_STRIKES_PER_SIDE,
    maintenanceMs: values.VENUE_MAINTENANCE_MS,
    quoteTtlMs: values.VENUE_QUOTE_TTL_MS,
    noncesPerKeyMax: values.VENUE_NONCES_PER_KEY,
    // The spot and the oracle share one limit: a source is either fresh or not.
    sourceStaleMs: values.VENUE_ORACLE_STALE_MS,
    oracle: {
      minSources: values.VENUE_ORACLE_MIN_SOURCES,
      staleMs: values.VENUE_ORACLE_STALE_MS,
      dispersionBps: values.VENUE_ORACLE_DISPERSION_BPS,
      handBps: values.VENUE_ORACLE_HAND_BPS,
    },
    riskMark: values.VENUE_RISK_MARK,
    markMakers: values.VENUE_MARK_MAKERS ?? [],
    impactMicros: values.VENUE_IMPACT_USD,
    paperMakerCashMicros: values.VENUE_PAPER_MAKER_CASH,
    setLevelsMax: values.VENUE_SET_LEVELS_MAX,
    jumpStopBps: values.VENUE_JUMP_STOP_BPS,
    ...custodyParameters(values),
  };
}

const HOUSE_LINE_MICROS = toMicros(10_000_000_000_000);

function custodyParameters(
  values: ExchangeValues,
): Pick<VenueParameters, 'payoutMinMicros' | 'houseLineFunded'> {
  const hasCustody = values.VENUE_FUNDING_MODE === 'deposits';
  return {
    payoutMinMicros: (hasCustody ? values.VENUE_PAYOUT_MIN_USD : null) ?? ZERO,
    houseLineFunded: hasCustody && values.VENUE_HOUSE_LINE === null,
  };
}

function secrets(values: ExchangeValues): Secrets {
  const found: Secrets = {
    operator: values.VENUE_OPERATOR_TOKEN,
    deposit: values.VENUE_DEPOSIT_TOKEN,
    payout: values.VENUE_PAYOUT_TOKEN,
    attest: values.VENUE_ATTEST_TOKEN,
    maker: values.VENUE_MAKER_TOKEN,
    feed: values.VENUE_FEED_TOKEN,
    settle1: settleSecret(values, 1),
    settle2: settleSecret(values, 2),
  };
  const operators = values.VENUE_OPERATORS ?? [];
  const isDeposits = values.VENUE_FUNDING_MODE === 'deposits';
  const metrics = values.VENUE_METRICS_TOKEN;
  if (metrics !== null && operators.some(({ hashes }) => hashes.includes(hash('sha256', metrics))))
    throw new ConfigError('VENUE_METRICS_TOKEN must differ from the secrets of VENUE_OPERATORS');
  const fault =
    assertOperators(found, operators) ??
    (isDeposits ? assertSecrets(found, operators) : assertSettleSecrets(found));
  if (fault !== null) throw new ConfigError(fault);
  return found;
}

/** The exchange compares hashes, so a hash is as good as the secret (CUS-10). */
function settleSecret(values: ExchangeValues, which: 1 | 2): Secret | null {
  const token = values[`VENUE_SETTLE_TOKEN_${which}`];
  const sha256 = values[`VENUE_SETTLE_HASH_${which}`];
  if (token !== null && sha256 !== null)
    throw new ConfigError(
      `VENUE_SETTLE_TOKEN_${which} and VENUE_SETTLE_HASH_${which} are both set: keep one of them`,
    );
  return sha256 === null ? token : { sha256 };
}

/** A metrics scraper holds none of the secrets that move money (OWN-71). */
function metricsToken({ VENUE_METRICS_TOKEN: token, ...values }: ServingValues): string | null {
  if (token === null) return null;
  if (token.length < SECRET_LENGTH_MIN)
    throw new ConfigError(`VENUE_METRICS_TOKEN must have at least ${SECRET_LENGTH_MIN} characters`);
  const twin = Object.entries(values).find(([, value]) => value === token || value === hash('sha256', token));
  if (twin !== undefined) throw new ConfigError(`VENUE_METRICS_TOKEN must differ from ${twin[0]}`);
  return token;
}

const FOLDER_BESIDE_SERVER = './data';

/** Beside the log if that is a file. */
function historyPath(given: string | null, log: string, name: string): string | null {
  const spec = parseLogSpec(log);
  const logPath = spec.kind === 'sqlite' ? spec.path : null;
  const path = given ?? besideLog(log, name) ?? `${FOLDER_BESIDE_SERVER}/${name}`;
  if (path === 'off') return null;
  if (logPath !== null && resolve(path) === resolve(logPath))
    throw new ConfigError('VENUE_HISTORY names the file of the log; name another one');
  return path;
}

function filesFolder(given: string | null, log: string, name: string): string | null {
  const folder = given ?? besideLog(log, name) ?? `${FOLDER_BESIDE_SERVER}/${name}`;
  return folder === 'off' ? null : folder;
}

function archiving(everyMs: number | null, log: string): Config['archive'] {
  const folder = besideLog(log, 'archive');
  return everyMs === null || folder === null ? null : { folder, everyMs };
}

/**
 * The path of what is kept beside a log; null for a log that is no file.
 *
 * @example besideLog('sqlite:data/venue.db', 'archive') // 'data/venue-archive'
 */
export function besideLog(log: string, what: string): string | null {
  const spec = parseLogSpec(log);
  return spec.kind === 'sqlite' ? `${spec.path.replace(/\.db$/, '')}-${what}` : null;
}

function terminalFiles({
  VENUE_TERMINAL: folder,
  VENUE_TERMINAL_VAULT: vaultFile,
  VENUE_TERMINAL_OFFLINE: offline,
  VENUE_PUSH_URL: pushUrl,
}: ServingValues): TerminalFiles | null {
  if (folder === null || folder === 'off') return null;
  if (!existsSync(join(folder, 'index.html')) || !existsSync(join(folder, 'assets')))
    throw new ConfigError(
      `VENUE_TERMINAL must be a folder with the pages of the terminal (npm run terminal), or off, not ${JSON.stringify(folder)}`,
    );
  if (vaultFile !== null && !existsSync(vaultFile))
    throw new ConfigError(
      `VENUE_TERMINAL_VAULT must be a file that venue vault deploy wrote, not ${JSON.stringify(vaultFile)}`,
    );
  return { folder, vaultFile, isKept: offline === 'on', pushUrl };
}
