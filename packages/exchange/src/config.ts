/** What the environment says, read once. No other file of the exchange looks at it. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type AssetClass,
  BPS,
  ENGINE_VERSION,
  type FundingMode,
  HAND_BPS_MAX,
  SOURCES_PER_SYMBOL_MAX,
  type VenueParameters,
} from '@venue/engine';
import { parseLogSpec } from '@venue/log';
import { decimalToMicros, type Micros, SYMBOL } from '@venue/protocol';
import { assertSecrets, assertSettleSecrets, SECRET_LENGTH_MIN, type Secrets } from './auth/credentials.ts';
import type { TerminalFiles } from './http/routes/terminal.ts';

export interface Config {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Always true in deposits mode, whatever the flag says (AUTH-3). */
  readonly signingRequired: boolean;
  /** The log, as `openLog` takes it; may hold a password. */
  readonly log: string;
  /** The file of the history of every account's cash; null for none. */
  readonly history: string | null;
  /** The files of the trading terminal; null serves none. */
  readonly terminal: TerminalFiles | null;
  readonly logLevel: string;
  readonly wsTickMs: number;
  readonly secrets: Secrets;
  /** Seals bearer tokens; null lets the process make one up, which ends with it. */
  readonly tokenSecret: string | null;
  /** Entries that the operator has decided to leave out of the replay. */
  readonly skipSeqs: ReadonlySet<number>;
  /** What the engine uses: state, as soon as the log has it (FINE-4). */
  readonly parameters: VenueParameters;
}

/** A variable is wrong. The message is one line that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configuration to run with; an empty variable counts as absent. Throws `ConfigError`.
 *
 * @example loadConfig({ VENUE_PORT: 'abc' }) // VENUE_PORT must be an integer from 0 to 65535, not "abc"
 */
export function loadConfig(env: Environment = process.env): Config {
  const fundingMode = oneOf(env, 'VENUE_FUNDING_MODE', ['paper', 'deposits'], 'paper');
  const flag = oneOf(env, 'VENUE_REQUIRE_SIGNED_ORDERS', ['0', '1'], '0');
  return {
    host: text(env, 'VENUE_HOST', '127.0.0.1'),
    port: integer(env, 'VENUE_PORT', { fallback: 8080, min: 0, max: 65_535 }),
    signingRequired: fundingMode === 'deposits' || flag === '1',
    log: loadLogSpec(env),
    history: historyPath(env),
    terminal: terminalFiles(env),
    logLevel: oneOf(env, 'VENUE_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    wsTickMs: integer(env, 'VENUE_WS_TICK_MS', { fallback: 250, min: 10, max: 60_000 }),
    secrets: secrets(env, fundingMode),
    tokenSecret: tokenSecret(env),
    skipSeqs: skipSeqs(env),
    parameters: parameters(env, fundingMode),
  };
}

function parameters(env: Environment, fundingMode: FundingMode): VenueParameters {
  const marginPremium = fundingMode === 'paper' ? 'mark' : 'intrinsic';
  // One limit for the spot and for the oracle: a source is fresh or it is not.
  const staleMs = integer(env, 'VENUE_ORACLE_STALE_MS', { fallback: 60_000, min: 1_000, max: 86_400_000 });
  return {
    version: ENGINE_VERSION,
    fundingMode,
    marginPremium: oneOf(env, 'VENUE_MARGIN_PREMIUM', ['mark', 'intrinsic'], marginPremium),
    symbols: symbols(env),
    paperCashMicros: amount(env, 'VENUE_PAPER_CASH', '100000'),
    houseLineMicros: amount(env, 'VENUE_HOUSE_LINE', '10000000'),
    strikesPerSide: integer(env, 'VENUE_STRIKES_PER_SIDE', { fallback: 20, min: 1, max: 100 }),
    maintenanceMs: integer(env, 'VENUE_MAINTENANCE_MS', { fallback: 5_000, min: 100, max: 3_600_000 }),
    quoteTtlMs: integer(env, 'VENUE_QUOTE_TTL_MS', { fallback: 30_000, min: 100, max: 86_400_000 }),
    noncesPerKeyMax: integer(env, 'VENUE_NONCES_PER_KEY', { fallback: 16_384, min: 1, max: 1_000_000 }),
    sourceStaleMs: staleMs,
    oracle: {
      minSources: integer(env, 'VENUE_ORACLE_MIN_SOURCES', {
        fallback: 2,
        min: 1,
        max: SOURCES_PER_SYMBOL_MAX,
      }),
      staleMs,
      dispersionBps: integer(env, 'VENUE_ORACLE_DISPERSION_BPS', { fallback: 100, min: 0, max: BPS }),
      handBps: integer(env, 'VENUE_ORACLE_HAND_BPS', { fallback: 100, min: 0, max: HAND_BPS_MAX }),
    },
  };
}

function secrets(env: Environment, fundingMode: FundingMode): Secrets {
  const found: Secrets = {
    operator: env.VENUE_OPERATOR_TOKEN || null,
    maker: env.VENUE_MAKER_TOKEN || null,
    feed: env.VENUE_FEED_TOKEN || null,
    settle1: env.VENUE_SETTLE_TOKEN_1 || null,
    settle2: env.VENUE_SETTLE_TOKEN_2 || null,
  };
  const fault = (fundingMode === 'deposits' ? assertSecrets : assertSettleSecrets)(found);
  if (fault !== null) throw new ConfigError(fault);
  return found;
}

/** Nodes that share it take each other's tokens; as it never leaves them, no header has to carry it. */
function tokenSecret(env: Environment): string | null {
  const secret = env.VENUE_TOKEN_SECRET || null;
  if (secret !== null && secret.length < SECRET_LENGTH_MIN)
    throw new ConfigError(`VENUE_TOKEN_SECRET must have at least ${SECRET_LENGTH_MIN} characters`);
  return secret;
}

const ASSET_CLASSES: readonly string[] = ['crypto', 'equity', 'index'] satisfies AssetClass[];
const SYMBOLS_DEFAULT = 'BTC:crypto,ETH:crypto,AAPL:equity,SPX:index';

function symbols(env: Environment): VenueParameters['symbols'] {
  const rows = text(env, 'VENUE_SYMBOLS', SYMBOLS_DEFAULT)
    .split(',')
    .map((row) => row.trim().split(':'));
  const wellFormed = rows.every(
    ([symbol = '', assetClass = '', ...rest]) =>
      SYMBOL.test(symbol) && ASSET_CLASSES.includes(assetClass) && rest.length === 0,
  );
  if (!wellFormed) {
    throw wrong(env, 'VENUE_SYMBOLS', 'must be a list like AAPL:equity,SPX:index,BTC:crypto');
  }
  if (new Set(rows.map(([symbol]) => symbol)).size < rows.length) {
    throw wrong(env, 'VENUE_SYMBOLS', 'must name every symbol once');
  }
  return rows.map(([symbol, assetClass]) => ({ symbol: symbol!, assetClass: assetClass as AssetClass }));
}

/** The log alone, as `openLog` takes it. Throws `ConfigError`, which does not show the value: it may hold a password. */
export function loadLogSpec(env: Environment = process.env): string {
  const spec = text(env, 'VENUE_LOG', 'sqlite:./data/venue.db');
  try {
    parseLogSpec(spec);
    return spec;
  } catch (error) {
    throw new ConfigError(`VENUE_LOG: ${(error as Error).message}`);
  }
}

const HISTORY_BESIDE_SERVER = './data/history.db';

/** Beside the log where that is a file. */
function historyPath(env: Environment): string | null {
  const spec = parseLogSpec(loadLogSpec(env));
  const logPath = spec.kind === 'sqlite' ? spec.path : null;
  const fallback = logPath === null ? HISTORY_BESIDE_SERVER : `${logPath.replace(/\.db$/, '')}-history.db`;
  const path = text(env, 'VENUE_HISTORY', fallback);
  if (path === 'off') return null;
  if (logPath !== null && resolve(path) === resolve(logPath))
    throw new ConfigError('VENUE_HISTORY names the file of the log; name another one');
  return path;
}

function terminalFiles(env: Environment): TerminalFiles | null {
  const folder = text(env, 'VENUE_TERMINAL', 'off');
  if (folder === 'off') return null;
  if (!existsSync(join(folder, 'index.html')) || !existsSync(join(folder, 'assets')))
    throw wrong(
      env,
      'VENUE_TERMINAL',
      'must be a folder with the pages of the terminal (npm run terminal), or off',
    );
  const vaultFile = env.VENUE_TERMINAL_VAULT || null;
  if (vaultFile !== null && !existsSync(vaultFile))
    throw wrong(env, 'VENUE_TERMINAL_VAULT', 'must be a file that venue vault deploy wrote');
  return { folder, vaultFile };
}

function skipSeqs(env: Environment): ReadonlySet<number> {
  const items = text(env, 'VENUE_SKIP_SEQ', '')
    .split(',')
    .filter((item) => item !== '');
  if (!items.every((item) => /^[1-9]\d{0,14}$/.test(item))) {
    throw wrong(env, 'VENUE_SKIP_SEQ', 'must be sequence numbers separated by commas');
  }
  return new Set(items.map(Number));
}

function text(env: Environment, name: string, fallback: string): string {
  return env[name] || fallback;
}

function oneOf<const T extends string>(
  env: Environment,
  name: string,
  choices: readonly T[],
  fallback: NoInfer<T>,
): T {
  const value = text(env, name, fallback);
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw wrong(env, name, `must be ${choices.join(' or ')}`);
  return found;
}

interface IntegerRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

function integer(env: Environment, name: string, { fallback, min, max }: IntegerRange): number {
  const digits = text(env, name, String(fallback));
  const value = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
  if (!(value >= min && value <= max)) throw wrong(env, name, `must be an integer from ${min} to ${max}`);
  return value;
}

const AMOUNT_MAX = 1_000_000_000;

function amount(env: Environment, name: string, fallback: string): Micros {
  const digits = text(env, name, fallback);
  const micros = /^\d{1,10}(\.\d{1,6})?$/.test(digits) ? decimalToMicros(Number(digits)) : undefined;
  if (micros === undefined || Number(digits) > AMOUNT_MAX) {
    throw wrong(env, name, `must be an amount in US dollars from 0 to ${AMOUNT_MAX}`);
  }
  return micros;
}

function wrong(env: Environment, name: string, rule: string): ConfigError {
  return new ConfigError(`${name} ${rule}, not ${JSON.stringify(env[name])}`);
}
