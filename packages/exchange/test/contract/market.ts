/** A market to trade in: prices of two underlyings, their listings, and quotes of the maker. */

import { type Json, MAKER_TOKEN, Venue, waitFor } from '../support.ts';
import type { Stage } from './stage.ts';

export const SPOT = { BTC: 100_000, AAPL: 190 } as const;

export interface Market {
  /** Ascending. */
  readonly expiries: readonly number[];
  /** A BTC contract, by default at the second expiry, which outlasts every test. */
  series(right: 'C' | 'P', strike: number, expiryTs?: number): string;
  quote(seriesId: string, bids: readonly Level[], asks: readonly Level[]): Promise<void>;
}
type Level = readonly [price: number, qty: number];

/** Posts prices and waits until both underlyings have listings. */
export async function openMarket(stage: Stage): Promise<Market> {
  const venue = new Venue(stage.url);
  await print(stage, { BTC: [SPOT.BTC, SPOT.BTC], AAPL: [SPOT.AAPL, SPOT.AAPL] });
  await stage.pass(1_000);
  const [rows] = await Promise.all(['BTC', 'AAPL'].map((symbol) => listings(venue, symbol)));
  const expiries = [...new Set(rows!.map(({ expiryTs }) => expiryTs as number))].sort((a, b) => a - b);
  const maker = { 'x-maker-token': MAKER_TOKEN };
  const { body } = await venue.post('/v1/maker/session', { attemptId: 'contract' }, { headers: maker });
  const headers = { ...maker, 'x-quote-session': String(body.session) };
  return {
    expiries,
    series: (right, strike, expiryTs = expiries[1]!) => `BTC-${expiryTs}-${right}-${strike}`,
    quote: async (seriesId, bids, asks) => {
      const row = { seriesId, bids, asks, iv: 0.55, delta: 0.52 };
      const { body: answer } = await venue.post('/v1/maker/quotes', { quotes: [row] }, { headers });
      if (answer.errors !== 0) throw new Error(`not quoted: ${JSON.stringify(answer)}`);
    },
  };
}

/** Posts one price per source; the sources are named a, b and so on. */
export async function print(
  stage: Stage,
  prices: Readonly<Record<string, readonly number[]>>,
): Promise<void> {
  const rows = Object.entries(prices).flatMap(([symbol, all]) =>
    all.map((price, i) => ({ symbol, source: 'ab'[i], price })),
  );
  await new Venue(stage.url).feed(rows);
}

function listings(venue: Venue, symbol: string): Promise<Json[]> {
  return waitFor(async () => {
    const { body } = await venue.get(`/v1/series?symbol=${symbol}`);
    return body.series.length > 0 ? body.series : undefined;
  });
}
