/** Series, parameters and accounts for the tests of the maker. */

import { readFileSync } from 'node:fs';
import type { MakerAccount } from '@venue/protocol';
import { formatSeriesId, type Position, type Right, type Series, toMicros } from '@venue/protocol';
import { Parameters } from '../src/parameters.ts';

export const NOW_MS = 1_790_000_000_000;
export const DAY_MS = 24 * 3_600_000;

/** The file that comes with the maker. */
export function shippedFile(): Record<string, Record<string, object>> {
  return JSON.parse(readFileSync(new URL('../surfaces.json', import.meta.url), 'utf8'));
}

export function shippedParameters(): Parameters {
  return new Parameters(
    shippedFile(),
    new Map([
      ['BTC', 'crypto'],
      ['AAPL', 'equity'],
      ['SPX', 'index'],
    ]),
  );
}

export interface SeriesTerms {
  readonly sid: number;
  readonly strike: number;
  readonly symbol?: string;
  readonly right?: Right;
  readonly days?: number;
}

export function seriesOf({ sid, strike, symbol = 'BTC', right = 'C', days = 7 }: SeriesTerms): Series {
  const expiryTs = Math.round((NOW_MS + days * DAY_MS) / 1_000);
  const seriesId = formatSeriesId({ symbol, expiryTs, right, strikeMicros: toMicros(strike * 1e6) });
  return { seriesId, sid, symbol, expiryTs, expiryCutoffMs: expiryTs * 1_000, right, strike };
}

/** Calls and puts at every strike and expiry, as a venue lists them. */
export function listing(symbol: string, strikes: readonly number[], days: readonly number[]): Series[] {
  let sid = 0;
  return days.flatMap((day) =>
    strikes.flatMap((strike) =>
      (['C', 'P'] as const).map((right) => seriesOf({ sid: ++sid, strike, symbol, right, days: day })),
    ),
  );
}

export function positionOf({ seriesId, symbol, right, strike, expiryTs }: Series, qty: number): Position {
  const optType = right === 'C' ? 'call' : 'put';
  const rest = { avgPrice: 1, mark: 1, realized: 0, unrealized: 0 };
  return { seriesId, symbol, optType, strike, expiryTs, qty, ...rest };
}

export function accountOf(change: Partial<MakerAccount> = {}): MakerAccount {
  const money = { cash: 0, equity: 0, realizedPnl: 0, unrealizedPnl: 0 };
  return { session: 1, ...money, houseLine: 1e7, exposure: 0, headroom: 1e7, positions: [], ...change };
}
