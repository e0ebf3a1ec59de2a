/** A venue on a clock that the test sets, with a market that is about to expire. */

import type { Environment } from '@venue/config';
import { MemoryStore, openMemoryLog } from '@venue/log';
import { expiryInstants } from '../src/entries/expiries.ts';
import {
  type Json,
  type LocalVenue,
  type Reply,
  signIn,
  startVenue,
  type Trader,
  waitFor,
} from './support.ts';

export const SETTLE_TOKEN_1 = 'settle-secret-one-settle-secret-one';
export const SETTLE_TOKEN_2 = 'settle-secret-two-settle-secret-two';
export const OPERATOR_TOKEN = 'operator-secret-operator-secret-op';

const SECRETS: Environment = {
  VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
  VENUE_SETTLE_TOKEN_1: SETTLE_TOKEN_1,
  VENUE_SETTLE_TOKEN_2: SETTLE_TOKEN_2,
};
const MINUTE_MS = 60_000;

export const bothTokens = { 'x-settle-token-1': SETTLE_TOKEN_1, 'x-settle-token-2': SETTLE_TOKEN_2 };

export class ExpiringVenue {
  /** The running node; replaced by a restart. */
  venue: LocalVenue;
  readonly expiryTs: number;
  readonly #clock: { nowMs: number };
  readonly #env: Environment;

  private constructor(venue: LocalVenue, clock: { nowMs: number }, env: Environment) {
    this.venue = venue;
    this.#clock = clock;
    this.#env = env;
    this.expiryTs = expiryInstants(clock.nowMs)[0]!;
  }

  /** Starts 40 minutes before an expiry, with listings around a BTC price of 100,000. */
  static async start(env: Environment = {}): Promise<ExpiringVenue> {
    const [expiryTs] = expiryInstants(Date.now());
    const clock = { nowMs: expiryTs! * 1_000 - 40 * MINUTE_MS };
    const all = { ...SECRETS, VENUE_SYMBOLS: 'BTC:crypto,ETH:crypto', VENUE_STRIKES_PER_SIDE: '2', ...env };
    const expiring = new ExpiringVenue(await startOn(all, clock), clock, all);
    await expiring.list().catch(async (error) => {
      await expiring.stop();
      throw error;
    });
    return expiring;
  }

  private async list(): Promise<void> {
    await this.print({ a: 100_000, b: 100_000 });
    this.toBeforeExpiry(39 * MINUTE_MS);
    await waitFor(async () => {
      const { body } = await this.venue.get('/v1/series?symbol=BTC');
      return body.series.length > 0 || undefined;
    });
  }

  /** The call or put at a strike of the expiry. */
  series(right: 'C' | 'P', strike: number): string {
    return `BTC-${this.expiryTs}-${right}-${strike}`;
  }

  /** Every series of the expiry, in listing order. */
  all(): string[] {
    const strikes = [98_000, 99_000, 100_000, 101_000, 102_000];
    return strikes.flatMap((strike) => [this.series('C', strike), this.series('P', strike)]);
  }

  toBeforeExpiry(ms: number): void {
    this.#clock.nowMs = this.expiryTs * 1_000 - ms;
  }

  async print(prices: Record<string, number>, symbol = 'BTC'): Promise<void> {
    await this.venue.feed(Object.entries(prices).map(([source, price]) => ({ symbol, source, price })));
  }

  /** Prints prices in the sampling window and again just before the cutoff, then waits for the decision. */
  async expireAt(prices: Record<string, number>): Promise<void> {
    for (const minutes of [30, 0.5]) {
      this.toBeforeExpiry(minutes * MINUTE_MS);
      await this.print(prices);
    }
    this.toBeforeExpiry(-1_000);
    await waitFor(async () => {
      const { settlements, refused = [] } = await this.settlements();
      return settlements.length + refused.length > 0 || undefined;
    });
  }

  /** Alice sells Bob two calls of a strike at 2,000. */
  async trade(strike = 100_000): Promise<{ alice: Trader; bob: Trader }> {
    const [alice, bob] = [await signIn(this.venue), await signIn(this.venue)];
    const seriesId = this.series('C', strike);
    await this.venue.post('/v1/margin', { enabled: true }, alice);
    await this.venue.post('/v1/order', { seriesId, side: 'sell', qty: 2, price: 2_000 }, alice);
    const { body } = await this.venue.post('/v1/order', { seriesId, side: 'buy', qty: 2, price: 2_000 }, bob);
    if (body.status !== 'filled') throw new Error(`the trade came to ${JSON.stringify(body)}`);
    return { alice, bob };
  }

  async settlements(): Promise<Json> {
    return (await this.venue.get('/v1/settlements?symbol=btc')).body;
  }

  settle(body: unknown, headers: Record<string, string> = bothTokens): Promise<Reply> {
    return this.venue.post('/v1/operator/settle', body, { headers });
  }

  async audit(query = ''): Promise<Json[]> {
    const headers = { 'x-operator-token': OPERATOR_TOKEN };
    return (await this.venue.get(`/v1/operator/audit${query}`, { headers })).body.entries;
  }

  /** Stops the node and starts another on the same log. */
  async restart(env: Environment = {}): Promise<void> {
    await this.venue.exchange.stop();
    this.venue = await startOn({ ...this.#env, ...env }, this.#clock, this.venue.store);
  }

  stop(): Promise<void> {
    return this.venue.exchange.stop();
  }
}

async function startOn(
  env: Environment,
  clock: { nowMs: number },
  store = new MemoryStore(),
): Promise<LocalVenue> {
  const now = () => clock.nowMs;
  return startVenue(env, { store, clock: now, log: await openMemoryLog({ store, now }) });
}
