/** Reads the configuration of the feed from its environment. */

import { type Environment, readVariables } from '@venue/config';
import { type InstrumentProfile, profileOf } from '@venue/protocol/simulation';
import type { Upstream } from './upstream/upstreams.ts';

export interface FeedConfig {
  readonly url: string;
  readonly feedToken: string;
  /** Null if the operator names none. */
  readonly source: 'simulated' | readonly Upstream[] | null;
  readonly instruments: readonly InstrumentProfile[];
  /** Time between two posts. */
  readonly tickMs: number;
  /** Port for metrics on 127.0.0.1, or null. */
  readonly metricsPort: number | null;
  readonly live: LiveConfig;
}

/** The operator's settings for live prices. */
export interface LiveConfig {
  readonly cryptoUrl: string;
  /** The upstream's pair for a symbol that is not named against USD. */
  readonly cryptoPairs: ReadonlyMap<string, string>;
  readonly pythUrl: string;
  readonly pythToken: string | null;
  /** Ids in lower case without 0x. */
  readonly pythIds: ReadonlyMap<string, readonly string[]>;
  readonly outlierBps: number;
  readonly ageMaxMs: number;
  readonly silenceMs: number;
}

/** Reads the feed's variables; an empty one counts as absent. Throws `ConfigError` for a missing or invalid one. */
export function loadFeedConfig(env: Environment): FeedConfig {
  const values = readVariables('feed', env);
  return {
    url: values.VENUE_URL,
    feedToken: values.VENUE_FEED_TOKEN,
    source: sourceOf(values.VENUE_FEED_SOURCE),
    instruments: values.VENUE_SYMBOLS.map(({ symbol, assetClass }) => profileOf(symbol, assetClass)),
    tickMs: values.VENUE_FEED_TICK_MS,
    metricsPort: values.VENUE_FEED_METRICS_PORT,
    live: {
      cryptoUrl: values.VENUE_CRYPTO_URL,
      cryptoPairs: values.VENUE_CRYPTO_PAIRS ?? new Map(),
      pythUrl: values.VENUE_PYTH_URL,
      pythToken: values.VENUE_PYTH_TOKEN,
      pythIds: values.VENUE_PYTH_IDS ?? new Map(),
      outlierBps: values.VENUE_FEED_OUTLIER_BPS,
      ageMaxMs: values.VENUE_FEED_MAX_AGE_MS,
      silenceMs: values.VENUE_FEED_SILENCE_MS,
    },
  };
}

function sourceOf(value: 'simulated' | 'crypto' | 'pyth' | 'crypto,pyth' | null): FeedConfig['source'] {
  return value === null || value === 'simulated' ? value : (value.split(',') as Upstream[]);
}
