/** A venue on a clock that the test sets, whose maker quotes every BTC series at one volatility. */

import { MemoryStore, openMemoryLog } from '@venue/log';
import { priceOption } from '@venue/protocol/black76';
import { type Json, type LocalVenue, MAKER_TOKEN, startVenue, waitFor } from './support.ts';

export const SPOT = 100_000;
export const VOL = 0.6;
/** A Monday, ten in the morning in New York, and some. */
const START_MS = Date.UTC(2026, 0, 5, 15, 20);
const YEAR_MS = 365 * 86_400_000;
const PUSH_ROWS = 128;

export class QuotedVenue {
  readonly venue: LocalVenue;
  readonly #clock: { nowMs: number };

  private constructor(venue: LocalVenue, clock: { nowMs: number }) {
    this.venue = venue;
    this.#clock = clock;
  }

  static async start(): Promise<QuotedVenue> {
    const clock = { nowMs: START_MS };
    const now = () => clock.nowMs;
    const store = new MemoryStore();
    const env = {
      VENUE_SYMBOLS: 'BTC:crypto,ETH:crypto',
      VENUE_STRIKES_PER_SIDE: '7',
      VENUE_QUOTE_TTL_MS: '86400000',
    };
    const venue = await startVenue(env, { store, clock: now, log: await openMemoryLog({ store, now }) });
    const quoted = new QuotedVenue(venue, clock);
    await quoted.print(SPOT);
    // The next tick lists.
    clock.nowMs += 60_000;
    await waitFor(async () => ((await quoted.series()).length > 0 ? true : undefined)).catch(
      async (error) => {
        await quoted.stop();
        throw error;
      },
    );
    return quoted;
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  async print(price: number): Promise<void> {
    await this.venue.feed([{ symbol: 'BTC', source: 'a', price }]);
  }

  /** Moves the clock, and has an entry at the new time. */
  async passTo(ms: number): Promise<void> {
    this.#clock.nowMs = ms;
    await this.print(SPOT);
  }

  async series(): Promise<Json[]> {
    return (await this.venue.get('/v1/series?symbol=BTC')).body.series;
  }

  /** Quotes every series around Black's price, 1 % to each side. */
  async quote(): Promise<void> {
    const maker = { 'x-maker-token': MAKER_TOKEN };
    const { body } = await this.venue.post('/v1/maker/session', { attemptId: 'tickers' }, { headers: maker });
    const headers = { ...maker, 'x-quote-session': String(body.session) };
    const rows = (await this.series()).map((one) => this.#rowOf(one));
    for (let i = 0; i < rows.length; i += PUSH_ROWS) {
      const quotes = rows.slice(i, i + PUSH_ROWS);
      const { body: answer } = await this.venue.post('/v1/maker/quotes', { quotes }, { headers });
      if (answer.errors !== 0) throw new Error(`not quoted: ${JSON.stringify(answer)}`);
    }
  }

  #rowOf({ seriesId, right, strike, expiryTs }: Json): object {
    const years = (expiryTs * 1_000 - this.nowMs) / YEAR_MS;
    const price = priceOption({ right, forward: SPOT, strike, years, vol: VOL });
    const [bid, ask] = [price * 0.99, price * 1.01 + 0.01].map((one) => Math.round(one * 1e6) / 1e6);
    return { seriesId, bids: bid! > 0 ? [[bid, 10]] : [], asks: [[ask, 10]], iv: VOL, delta: 0.5 };
  }

  stop(): Promise<void> {
    return this.venue.exchange.stop();
  }
}
