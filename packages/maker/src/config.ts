/** The only file of the market maker that reads its environment, and its file of parameters. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SYMBOL } from '@venue/protocol';
import { isHeaderText, venueUrlFault } from '@venue/sdk';
import { ASSET_CLASSES, type AssetClass, Parameters, ParametersError } from './parameters.ts';

/** A variable or file that cannot be used; the message is one line and names it. */
export class MakerConfigError extends Error {
  override name = 'MakerConfigError';
}

export interface MakerConfig {
  readonly url: string;
  readonly makerToken: string;
  /** Longest time between two looks at the market. */
  readonly tickMs: number;
  /** Where metrics are served on 127.0.0.1, or null. */
  readonly metricsPort: number | null;
  readonly parameters: Parameters;
}

type Environment = Readonly<Record<string, string | undefined>>;

const SYMBOLS = 'BTC:crypto,ETH:crypto,AAPL:equity,SPX:index';
const SURFACE_PATH = fileURLToPath(new URL('../surfaces.json', import.meta.url));
const TICK_MS = 250;
/** Well inside the time after which the venue pulls the quotes of a silent maker (MM-4). */
const TICK_MAX_MS = 10_000;

/** Reads the maker's variables, an empty one as absent; throws `MakerConfigError` for a missing or wrong one. */
export function loadMakerConfig(env: Environment): MakerConfig {
  const url = env.VENUE_URL || 'http://127.0.0.1:8080';
  const urlFault = venueUrlFault(url);
  if (urlFault !== null) throw new MakerConfigError(`VENUE_URL ${urlFault}`);
  const makerToken = env.VENUE_MAKER_TOKEN;
  if (!makerToken) {
    throw new MakerConfigError(
      'VENUE_MAKER_TOKEN is not set: it is the secret that lets the maker post quotes',
    );
  }
  if (!isHeaderText(makerToken)) throw new MakerConfigError('VENUE_MAKER_TOKEN must be ASCII without spaces');
  return {
    url,
    makerToken,
    tickMs: integer(env, 'VENUE_MAKER_TICK_MS', { min: 50, max: TICK_MAX_MS }) ?? TICK_MS,
    metricsPort: integer(env, 'VENUE_MAKER_METRICS_PORT', { min: 1, max: 65_535 }),
    parameters: parametersOf(env),
  };
}

function parametersOf(env: Environment): Parameters {
  const path = env.VENUE_MAKER_SURFACE || SURFACE_PATH;
  const fail = (why: string) => new MakerConfigError(`VENUE_MAKER_SURFACE: ${path}: ${why}`);
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw fail(error instanceof SyntaxError ? `no JSON: ${error.message}` : 'cannot be read');
  }
  try {
    return new Parameters(file, classesOf(env.VENUE_SYMBOLS || SYMBOLS));
  } catch (error) {
    throw error instanceof ParametersError ? fail(error.message) : error;
  }
}

function classesOf(text: string): Map<string, AssetClass> {
  return new Map(
    text.split(',').map((entry) => {
      const [symbol = '', name, ...rest] = entry.trim().split(':');
      const assetClass = ASSET_CLASSES.find((known) => known === name);
      if (rest.length > 0 || !SYMBOL.test(symbol) || assetClass === undefined)
        throw new MakerConfigError(
          `VENUE_SYMBOLS must be a list like BTC:crypto,AAPL:equity,SPX:index; "${entry}" is no entry of one`,
        );
      return [symbol, assetClass];
    }),
  );
}

function integer(env: Environment, name: string, { min, max }: { min: number; max: number }): number | null {
  const text = env[name];
  if (!text) return null;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value < min || value > max)
    throw new MakerConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`);
  return value;
}
