/** Reads the market maker's configuration from its environment and the parameter file named there. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConfigError, type Environment, type OwnKey, readVariables } from '@venue/config';
import { Parameters, ParametersError } from './parameters.ts';

export interface MakerConfig {
  readonly url: string;
  /** The token of the venue's own maker; null for an account like any other. */
  readonly makerToken: string | null;
  /** Keys of the wallets in whose quote sets it quotes; null for a maker that quotes by its secret alone. */
  readonly walletKeys: readonly OwnKey[] | null;
  /** The least time between two pushes of a symbol in which nothing has to be sent at once. */
  readonly paceMs: number;
  /** Longest time between two rounds. */
  readonly tickMs: number;
  /** Port for metrics on 127.0.0.1, or null. */
  readonly metricsPort: number | null;
  readonly parameters: Parameters;
}

/** Pushes to sets are signed, and each has its signature in the log. */
const SETS_PACE_MS = 3_000;
/** Another maker's surfaces, with wider spreads and larger sizes. */
export const WIDE_SURFACE_PATH = fileURLToPath(new URL('../surfaces-wide.json', import.meta.url));
const SURFACE_PATH = fileURLToPath(new URL('../surfaces.json', import.meta.url));

/** Reads the maker's variables; an empty one counts as absent. Throws `ConfigError` for a missing or invalid one. */
export function loadMakerConfig(env: Environment): MakerConfig {
  const values = readVariables('maker', env);
  const classes = new Map(values.VENUE_SYMBOLS.map(({ symbol, assetClass }) => [symbol, assetClass]));
  const { VENUE_MAKER_TOKEN: makerToken, VENUE_MAKER_KEY: walletKeys } = values;
  if (makerToken === null && walletKeys === null)
    throw new ConfigError('VENUE_MAKER_TOKEN is not set, nor is VENUE_MAKER_KEY: one of them lets it quote');
  return {
    url: values.VENUE_URL,
    makerToken,
    walletKeys,
    paceMs: values.VENUE_MAKER_PACE_MS ?? (walletKeys === null ? 0 : SETS_PACE_MS),
    tickMs: values.VENUE_MAKER_TICK_MS,
    metricsPort: values.VENUE_MAKER_METRICS_PORT,
    parameters: readParameters(values.VENUE_MAKER_SURFACE ?? SURFACE_PATH, classes),
  };
}

function readParameters(path: string, classes: ConstructorParameters<typeof Parameters>[1]): Parameters {
  const fail = (why: string) => new ConfigError(`VENUE_MAKER_SURFACE: ${path}: ${why}`);
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw fail(error instanceof SyntaxError ? `no JSON: ${error.message}` : 'cannot be read');
  }
  try {
    return new Parameters(file, classes);
  } catch (error) {
    throw error instanceof ParametersError ? fail(error.message) : error;
  }
}
