/** Where prices come from, and whether the exchange takes such (FEED-1). */

import type { Finding } from '@venue/config';
import type { Venue } from '@venue/protocol';
import { VenueClient, VenueError } from '@venue/sdk';
import type { FeedConfig } from './config.ts';
import type { Upstream } from './upstream/upstreams.ts';

export type Source = 'simulated' | 'replayed' | readonly Upstream[];

/** The exchange as far as the choice depends on it. */
export type Taker = Pick<Venue, 'fundingMode' | 'simulatedPrices'>;

const NO_DEFAULT =
  'VENUE_FEED_SOURCE is not set, and with real money prices have no default source: set crypto, pyth or crypto,pyth';
const CHECK_TIMEOUT_MS = 4_000;

/** Why the exchange takes no prices of this source, or null; a source that nobody named is null. */
export function sourceFault(source: Source | null, { fundingMode, simulatedPrices }: Taker): string | null {
  if (fundingMode === 'paper' || (source !== null && typeof source !== 'string')) return null;
  if (source === null) return NO_DEFAULT;
  return simulatedPrices
    ? null
    : `the exchange has real money and takes no ${source} prices: VENUE_FEED_SOURCE is crypto, pyth or crypto,pyth`;
}

/** The exchange's own description; null if it is too old to give one. Rejects while it cannot be reached. */
export async function takerOf(client: VenueClient): Promise<Taker | null> {
  try {
    return await client.market.venue();
  } catch (error) {
    if (error instanceof VenueError && error.status < 500) return null;
    throw error;
  }
}

/** For `venue feed --check`: whether the feed would start with the source, asked of the exchange where it answers. */
export async function checkSource({ url }: Pick<FeedConfig, 'url'>, source: Source | null): Promise<Finding> {
  if (source !== null && typeof source !== 'string')
    return { ok: true, text: `prices of ${source.join(', ')}` };
  const client = new VenueClient({ url, timeoutMs: CHECK_TIMEOUT_MS });
  const taker = await takerOf(client).catch(() => null);
  if (taker === null)
    return {
      ok: true,
      text: `prices ${source ?? 'simulated'}, unless the exchange at ${url}, which does not answer, has real money`,
    };
  const fault = sourceFault(source, taker);
  return { ok: fault === null, text: fault ?? `prices ${source ?? 'simulated'}` };
}
