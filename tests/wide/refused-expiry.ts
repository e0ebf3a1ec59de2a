/** An exchange whose oracle refused an expiry, as a single source is not enough. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeedPrint } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { eventually } from '../e2e/launched.ts';
import { type LocalTerminal, startTerminal } from './browser.ts';
import { OPERATOR_TOKEN } from './operator.ts';
import { Poster } from './prices.ts';
import { SettableClock } from './shifted-clock.ts';
import { type Stage, stageOf } from './stage.ts';

const CUTOFF_MS = Date.parse('2026-03-07T20:00:00-05:00');
const HOUR_MS = 3_600_000;
/** The last print, which is the anchor. */
export const ANCHOR = 3_000;

export interface RefusedExpiry {
  readonly stage: Stage<LocalTerminal>;
  /** The price that its source prints from now on. */
  setPrice(price: number): void;
  stopPrices(): Promise<void>;
}

/** The stage of the calling file; `env` has the secrets of those who settle. */
export function refusedExpiry(env: Readonly<Record<string, string>>): RefusedExpiry {
  const folder = mkdtempSync(join(tmpdir(), 'venue-admin-'));
  const clock = new SettableClock(join(folder, 'clock'));
  let aheadMs = 0;
  let poster: Poster;
  let price = ANCHOR;
  /** Turns the exchange's clock to a time before or after the cutoff. */
  const turnTo = (fromCutoffMs: number) => {
    aheadMs = CUTOFF_MS + fromCutoffMs - Date.now();
    clock.set(Math.round(aheadMs / 1_000));
  };
  /** An exchange takes no time from a clock that jumped before an operator accepts it (CLOCK-1). */
  const accepted = async (url: string) => {
    const headers = { 'x-operator-token': OPERATOR_TOKEN, 'content-type': 'application/json' };
    await fetch(`${url}/v1/operator/clock`, { method: 'POST', headers, body: '{"accept":true}' });
    return (await fetch(`${url}/healthz`)).ok;
  };
  const stage = stageOf(
    async () => {
      turnTo(-HOUR_MS);
      return startTerminal('exchange', {
        ...clock.env,
        ...env,
        VENUE_SYMBOLS: 'ETH:crypto',
        VENUE_STRIKES_PER_SIDE: '2',
        VENUE_MAINTENANCE_MS: '500',
        VENUE_JUMP_STOP_BPS: '1500',
        VENUE_FEED_TOKEN: 'feed-secret',
        VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
        VENUE_LOG_LEVEL: 'warn',
      });
    },
    async ({ url }, ends) => {
      ends.defer(() => rmSync(folder, { recursive: true, force: true }));
      const pricesAt = (): FeedPrint[] => [{ symbol: 'ETH', source: 'a', price }];
      const client = new VenueClient({ url });
      const feed = client.feed('feed-secret');
      await feed.prints(pricesAt());
      await eventually('listings', async () => (await client.market.series('ETH')).length > 0);
      turnTo(1_000);
      await eventually('the time after the cutoff', () => accepted(url));
      poster = new Poster({ feed, now: () => Date.now() + aheadMs, pricesAt });
      ends.defer(() => poster.stop());
      const waiting = async () => (await client.market.meta()).pendingReview.length > 0;
      await eventually('an expiry that waits', waiting);
    },
  );
  return {
    stage,
    setPrice: (now) => {
      price = now;
    },
    stopPrices: () => poster.stop(),
  };
}
