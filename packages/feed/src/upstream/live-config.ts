/** What the operator says of live prices. */

import { FeedConfigError } from '../config-error.ts';
import type { InstrumentProfile } from '../instruments.ts';

/** What `--live` can name. */
export const UPSTREAMS = ['crypto', 'pyth'] as const;
export type Upstream = (typeof UPSTREAMS)[number];

/** The symbols of the venue that an upstream has prices of. */
export function symbolsOf(
  { instruments }: { readonly instruments: readonly InstrumentProfile[] },
  upstream: Upstream,
): string[] {
  return instruments
    .filter(({ assetClass }) => (assetClass === 'crypto') === (upstream === 'crypto'))
    .map(({ symbol }) => symbol);
}

export interface LiveConfig {
  readonly cryptoUrl: string;
  /** The upstream's pair of a symbol, where it is not the symbol against USD. */
  readonly cryptoPairs: ReadonlyMap<string, string>;
  readonly pythUrl: string;
  readonly pythToken: string | undefined;
  /** Ids in lower case without 0x. */
  readonly pythIds: ReadonlyMap<string, readonly string[]>;
  readonly outlierBps: number;
  readonly ageMaxMs: number;
  readonly silenceMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const CRYPTO_URL = 'wss://ws.kraken.com/v2';
const PYTH_URL = 'https://hermes.pyth.network';

/** Reads the variables of live feeds, an empty one as absent; throws `FeedConfigError` for a wrong one. */
export function readLiveConfig(env: Environment): LiveConfig {
  return {
    cryptoUrl: urlOf(env, 'VENUE_CRYPTO_URL', CRYPTO_URL, 'ws'),
    cryptoPairs: mappingOf(env, 'VENUE_CRYPTO_PAIRS', 'BTC=BTC/USD', pairOf),
    pythUrl: urlOf(env, 'VENUE_PYTH_URL', PYTH_URL, 'http'),
    pythToken: env.VENUE_PYTH_TOKEN || undefined,
    pythIds: mappingOf(env, 'VENUE_PYTH_IDS', 'AAPL=0x…+0x…', idsOf),
    outlierBps: integerOf(env, 'VENUE_FEED_OUTLIER_BPS', { fallback: 500, min: 10, max: 5_000 }),
    ageMaxMs: integerOf(env, 'VENUE_FEED_MAX_AGE_MS', { fallback: 10_000, min: 1_000, max: 60_000 }),
    silenceMs: integerOf(env, 'VENUE_FEED_SILENCE_MS', { fallback: 15_000, min: 100, max: 60_000 }),
  };
}

function urlOf(env: Environment, name: string, fallback: string, scheme: 'ws' | 'http'): string {
  const text = env[name] || fallback;
  const protocol = URL.parse(text)?.protocol;
  if (protocol === `${scheme}:` || protocol === `${scheme}s:`) return text;
  throw new FeedConfigError(`${name} must be a ${scheme} address, not "${text}"`);
}

function mappingOf<T>(
  env: Environment,
  name: string,
  example: string,
  read: (text: string) => T | null,
): Map<string, T> {
  const map = new Map<string, T>();
  for (const entry of (env[name] || '').split(',').filter((text) => text.trim() !== '')) {
    const [symbol = '', text = '', ...rest] = entry.trim().split('=');
    const value = read(text);
    if (value === null || symbol === '' || rest.length > 0 || map.has(symbol))
      throw new FeedConfigError(`${name} must be a list like ${example}; "${entry}" is no entry of one`);
    map.set(symbol, value);
  }
  return map;
}

function pairOf(text: string): string | null {
  return /^[A-Z0-9]{1,16}\/[A-Z0-9]{1,16}$/.test(text) ? text : null;
}

function idsOf(text: string): string[] | null {
  const ids = text.split('+');
  if (!ids.every((id) => /^(0x)?[0-9a-fA-F]{64}$/.test(id))) return null;
  return ids.map((id) => id.replace(/^0x/, '').toLowerCase());
}

function integerOf(
  env: Environment,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = env[name] || String(fallback);
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  if (value >= min && value <= max) return value;
  throw new FeedConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`);
}
