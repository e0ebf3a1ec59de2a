/** What the maker quotes in one series: a few levels on either side of fair value. */

import { MICROS_PER_UNIT, type QuoteLevel, type Series } from '@venue/protocol';
import { valueOption } from './black-scholes.ts';
import { smileOf, smileVol } from './smile.ts';

export interface Ladder {
  /** Best first; empty where no positive price is left. */
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
  readonly iv: number;
  readonly delta: number;
  readonly fair: number;
  /** Distance of the best prices from fair value, before they meet the tick. */
  readonly halfSpread: number;
}

const YEAR_MS = 365.25 * 24 * 3_600_000;
const LEVELS = 3;

/** Parts of the half spread: of the premium, of one point of volatility, and of the spot. */
const SPREAD_OF_PRICE = 0.006;
const SPREAD_OF_VOL = 0.004;
const SPREAD_OF_SPOT = 0.000_05;

/** Contracts at the best price; each level further out has twice the one before. */
const SIZES = new Map<string, number>([
  ['BTC', 0.5],
  ['ETH', 10],
  ['AAPL', 100],
  ['SPX', 5],
]);
/** Worth of the best level for any other underlying. */
const SIZE_USD = 30_000;

/** Price steps by premium, in micros: the first row whose bound is above the price. */
const TICKS: readonly (readonly [below: number, tickMicros: number])[] = [
  [3, 10_000],
  [50, 50_000],
  [500, 500_000],
  [Number.POSITIVE_INFINITY, 5_000_000],
];

/**
 * The ladder of a series at a spot and a time (unix ms). The spread widens with premium and with time to
 * expiry, through vega. Every price is a multiple of a tick and every amount exact in micros (NUM-2).
 */
export function ladderOf(series: Series, spot: number, nowMs: number): Ladder {
  const { symbol, right, strike } = series;
  const years = Math.max(0, series.expiryCutoffMs - nowMs) / YEAR_MS;
  const vol = years > 0 ? smileVol(smileOf(symbol), { spot, strike, years }) : 0;
  const { price: fair, delta, vega } = valueOption({ right, spot, strike, years, vol });
  const halfSpread = SPREAD_OF_PRICE * fair + SPREAD_OF_VOL * vega + SPREAD_OF_SPOT * spot;
  const size = sizeOf(symbol, spot);
  return {
    bids: levels(fair - halfSpread, size, 'down'),
    asks: levels(fair + halfSpread, size, 'up'),
    iv: round(vol, 4),
    delta: round(delta, 4),
    fair,
    halfSpread,
  };
}

// A level further out is one per cent of the price away, and at least one tick.
function levels(best: number, size: number, direction: 'up' | 'down'): QuoteLevel[] {
  const tickMicros = tickOf(best);
  const toward = direction === 'up' ? 1 : -1;
  const nearest = direction === 'up' ? Math.ceil : Math.floor;
  const first = nearest((best * MICROS_PER_UNIT) / tickMicros);
  const step = Math.max(1, Math.round((0.01 * best * MICROS_PER_UNIT) / tickMicros));
  const rows: QuoteLevel[] = [];
  for (let i = 0; i < LEVELS; i++) {
    const ticks = first + toward * i * step;
    if (ticks > 0) rows.push([(ticks * tickMicros) / MICROS_PER_UNIT, size * 2 ** i]);
  }
  return rows;
}

function tickOf(price: number): number {
  return TICKS.find(([below]) => price < below)![1];
}

/** Where the underlying has no size of its own, what `SIZE_USD` buys, to one significant digit. */
function sizeOf(symbol: string, spot: number): number {
  const known = SIZES.get(symbol);
  if (known !== undefined) return known;
  const wanted = Math.max(0.001, SIZE_USD / spot);
  return Number(wanted.toPrecision(1));
}

function round(value: number, digits: number): number {
  // Adding zero turns a minus zero into zero.
  return Number(value.toFixed(digits)) + 0;
}
