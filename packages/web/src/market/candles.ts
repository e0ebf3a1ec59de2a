/** Candles of a price: as the venue's history has them, and the newest going on with each price that comes. */

import type { Candle, Interval, Trade } from '@venue/protocol';
import { impliedVol } from '@venue/protocol/implied-vol';
import type { SeriesTerms } from '@venue/protocol/series';

/** How far back a chart looks, shortest first. */
export const FRAMES = ['1h', '6h', '1d', '7d', '30d', '90d'] as const;
export type Frame = (typeof FRAMES)[number];

/** Candles of so many minutes that a frame has 60 to 180 of them. */
const INTERVALS: Readonly<Record<Frame, Interval>> = {
  '1h': '1m',
  '6h': '5m',
  '1d': '15m',
  '7d': '1h',
  '30d': '4h',
  '90d': '1d',
};
const FRAME_HOURS: Readonly<Record<Frame, number>> = {
  '1h': 1,
  '6h': 6,
  '1d': 24,
  '7d': 168,
  '30d': 720,
  '90d': 2_160,
};

const MINUTE_MS = 60_000;
const MINUTES: Readonly<Record<Interval, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '1h': 60,
  '4h': 240,
  '1d': 1_440,
};
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
/** As many as an answer has, and some more before the oldest go. */
const KEPT = 1_500;
const SLACK = 300;

export function intervalMs(interval: Interval): number {
  return MINUTES[interval] * MINUTE_MS;
}

export function intervalOf(frame: Frame): Interval {
  return INTERVALS[frame];
}

/** Candles that a whole frame has. */
export function candleCountOf(frame: Frame): number {
  return (FRAME_HOURS[frame] * 60) / MINUTES[INTERVALS[frame]];
}

/** A price at a time in unix ms, and what was traded at it. */
export interface Price {
  readonly ms: number;
  readonly price: number;
  readonly qty?: number;
}

/** A trade as the candles of a contract count it; null for another's, and for one of an account with itself (HIS-1). */
export function priceOfTrade(seriesId: string, trade: Trade): Price | null {
  const { seriesId: of, ts: ms, price, qty, self } = trade;
  return of === seriesId && !self ? { ms, price, qty } : null;
}

/** Candles, oldest first, after one more price at a time in unix ms; the same where the price is older than the newest. */
export function withPrice(candles: readonly Candle[], price: Price, interval: Interval): readonly Candle[] {
  const { ms, price: c, qty } = price;
  const t = ms - (ms % intervalMs(interval));
  const last = candles.at(-1);
  if (!(c > 0) || (last !== undefined && t < last.t)) return candles;
  if (last?.t !== t) {
    const kept = candles.length < KEPT + SLACK ? candles : candles.slice(-KEPT);
    return [...kept, { t, o: c, h: c, l: c, c, ...(qty !== undefined && { v: qty }) }];
  }
  const v = qty === undefined ? {} : { v: (last.v ?? 0) + qty };
  const next = { ...last, ...v, h: Math.max(last.h, c), l: Math.min(last.l, c), c };
  return [...candles.slice(0, -1), next];
}

/** A value at a time in unix ms. */
export interface TimedValue {
  readonly t: number;
  readonly value: number;
}

/**
 * Volatilities that marks of a contract imply, where both it and its underlying have a candle: of their closes, as a
 * fraction a year. A mark at or under intrinsic value implies none.
 */
export function impliedVols(
  { marks, spots }: { readonly marks: readonly Candle[]; readonly spots: readonly Candle[] },
  {
    terms: { right, strikeMicros, expiryTs },
    ...moment
  }: { readonly terms: SeriesTerms; readonly interval: Interval; readonly nowMs: number },
): TimedValue[] {
  const forwards = new Map(spots.map(({ t, c }) => [t, c]));
  return marks.flatMap(({ t, c: price }) => {
    const closedMs = Math.min(moment.nowMs, t + intervalMs(moment.interval));
    const value = impliedVol({
      ...{ right, price, forward: forwards.get(t) ?? 0, strike: strikeMicros / 1e6 },
      years: (expiryTs * 1_000 - closedMs) / YEAR_MS,
    });
    return value === null ? [] : { t, value };
  });
}

/** The newest value and the range of them all, in words; null for none. */
export function rangeWords(
  rows: readonly { readonly t: number; readonly low: number; readonly high: number; readonly last: number }[],
  { spanMs, format }: { readonly spanMs: number; readonly format: (value: number) => string },
): string | null {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  const low = rows.reduce((least, row) => Math.min(least, row.low), Number.POSITIVE_INFINITY);
  const high = rows.reduce((most, row) => Math.max(most, row.high), Number.NEGATIVE_INFINITY);
  const span = spanWords(last.t + spanMs - first.t);
  return `${format(last.last)} now, between ${format(low)} and ${format(high)} in ${span}.`;
}

const HOURS_FROM_MS = 2 * 60 * MINUTE_MS;
const DAYS_FROM_MS = 48 * 60 * MINUTE_MS;

function spanWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  if (minutes === 1) return 'the last minute';
  if (ms < HOURS_FROM_MS) return `the last ${minutes} minutes`;
  if (ms < DAYS_FROM_MS) return `the last ${Math.round(minutes / 60)} hours`;
  return `the last ${Math.round(minutes / 1_440)} days`;
}
