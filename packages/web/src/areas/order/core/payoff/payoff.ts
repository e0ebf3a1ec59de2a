/**
 * Profit and loss of a set of options on one underlying, at a chosen expiry and today, over a range of prices. At
 * expiry the result is piecewise linear, so zeros and extremes are exact. A leg that expires later is at its model
 * value then, and they are searched for numerically.
 */

import type { Position } from '@venue/protocol';
import { yearsUntil } from '../../../../market/years.ts';
import { curveOf, extremesOf, regionsOf } from './curve.ts';
import { type PayoffLeg, profitAt } from './payoff-leg.ts';
import { type PayoffRegion, sentenceOf } from './regions.ts';

export interface PayoffMoment {
  /** Price of the underlying, NaN while unknown. */
  readonly spot: number;
  readonly nowMs: number;
  /**
   * The expiry to evaluate, Unix seconds: by default the next of the legs'. Legs that expire earlier count as settled
   * at the same price.
   */
  readonly expiryTs?: number;
  /** A price that the picture has to show as well. */
  readonly alsoAt?: number;
}

/** Results in dollars at one price of the underlying. */
export interface PayoffPoint {
  readonly spot: number;
  readonly atExpiry: number;
  /** Null where no leg has a volatility. */
  readonly today: number | null;
}

export interface Payoff {
  readonly expiryTs: number;
  /** For the picture, ascending, including every strike and break-even in the range. */
  readonly points: readonly PayoffPoint[];
  /** Nine points for a table, at round prices. */
  readonly table: readonly PayoffPoint[];
  /** Ascending, starting at a price of zero. */
  readonly regions: readonly PayoffRegion[];
  /** Break-even prices, ascending, including those outside the picture. */
  readonly breakEvens: readonly number[];
  /** Highest result at expiry, positive infinity when unbounded. */
  readonly best: number;
  /** Lowest result at expiry, negative infinity when unbounded. */
  readonly worst: number;
  /** True when break-evens, best and worst are exact: no leg expires later. */
  readonly isExact: boolean;
  /** Series without a volatility, left out of `today`. */
  readonly leftOutToday: readonly string[];
  /** Series that expire later and have no volatility, left out of all results. */
  readonly leftOutAtExpiry: readonly string[];
  readonly sentence: string;
}

const POINTS = 128;
const TABLE_POINTS = 9;

/** The payoff of legs on one underlying, or null without legs. */
export function payoffOf(legs: readonly PayoffLeg[], moment: PayoffMoment): Payoff | null {
  if (legs.length === 0) return null;
  const { spot, nowMs } = moment;
  const expiryTs = moment.expiryTs ?? nextExpiryTs(legs, nowMs);
  const atMs = expiryTs * 1_000;
  const then = legs.filter((leg) => canValue(leg, atMs));
  const today = legs.filter((leg) => canValue(leg, nowMs));
  const range = widened(payoffRange(legs, { spot, nowMs, expiryTs }), moment.alsoAt);
  const curve = curveOf(then, atMs, range.high);
  const pointAt = (at: number): PayoffPoint => ({
    spot: at,
    atExpiry: curve.profit(at),
    today: today.length === 0 ? null : profitAt(today, at, nowMs),
  });
  const regions = regionsOf(curve);
  const breakEvens = regions.slice(1).map(({ from }) => from);
  const { best, worst } = extremesOf(curve);
  return {
    expiryTs,
    points: pictureSpots(range, [...curve.strikes, ...breakEvens]).map(pointAt),
    table: tableSpots(range).map(pointAt),
    regions,
    breakEvens,
    best,
    worst,
    isExact: curve.isLinear,
    leftOutToday: namesWithout(legs, today),
    leftOutAtExpiry: namesWithout(legs, then),
    sentence:
      then.length === 0 ? 'No implied volatility is available.' : sentenceOf(regions, { best, worst }),
  };
}

/** The next expiry, or the last where all have passed. */
function nextExpiryTs(legs: readonly PayoffLeg[], nowMs: number): number {
  const expiries = legs.map(({ expiryTs }) => expiryTs).sort((a, b) => a - b);
  return expiries.find((expiryTs) => expiryTs * 1_000 > nowMs) ?? expiries.at(-1)!;
}

/** Converts a position to a leg; its fees, in dollars, come from the fills. */
export function legOfPosition(position: Position, { iv, fee }: { iv: number; fee: number }): PayoffLeg {
  const { seriesId, optType, strike, expiryTs, qty, avgPrice } = position;
  const right = optType === 'call' ? 'C' : 'P';
  return { seriesId, right, strike, expiryTs, qty, price: avgPrice, fee, iv };
}

function canValue({ expiryTs, iv }: PayoffLeg, atMs: number): boolean {
  return expiryTs * 1_000 <= atMs || iv > 0;
}

function namesWithout(legs: readonly PayoffLeg[], valued: readonly PayoffLeg[]): string[] {
  return legs.filter((leg) => !valued.includes(leg)).map(({ seriesId }) => seriesId);
}

export interface PayoffRange {
  readonly low: number;
  readonly high: number;
}

/** Standard deviations shown to either side. */
const DEVIATIONS = 3;
/** Used while no leg has a volatility. */
const IV_FALLBACK = 0.6;
/** The minimum shown to either side, as a share of the centre. */
const SHARE_MIN = 0.02;
/** Margin beyond the outermost strike, as a share of the width. */
const MARGIN_SHARE = 0.04;

/**
 * The price range of a picture: every strike, and three standard deviations to the expiry at the volatility of the
 * strike nearest to the spot. Legs whose result is the same beyond their outermost strikes are shown as far again as
 * these are apart: over months a narrow condor would else be a needle.
 */
export function payoffRange(
  legs: readonly PayoffLeg[],
  { spot, nowMs, expiryTs }: Required<Omit<PayoffMoment, 'alsoAt'>>,
): PayoffRange {
  const strikes = legs.map(({ strike }) => strike).sort((a, b) => a - b);
  const middle = spot > 0 ? spot : (strikes[strikes.length >> 1] ?? 1);
  const known = legs.filter(({ iv }) => iv > 0);
  const away = ({ strike }: PayoffLeg) => Math.abs(strike - middle);
  const iv = known.sort((a, b) => away(a) - away(b))[0]?.iv ?? IV_FALLBACK;
  const stretch = Math.max(Math.exp(DEVIATIONS * iv * Math.sqrt(yearsUntil(expiryTs, nowMs))), 1 + SHARE_MIN);
  const lowest = Math.min(middle / stretch, strikes[0] ?? middle);
  const highest = Math.max(middle * stretch, strikes.at(-1) ?? middle);
  const apart = isFlatOutside(legs, expiryTs) ? strikes.at(-1)! - strikes[0]! : Number.POSITIVE_INFINITY;
  const low = Math.max(lowest, Math.min(strikes[0] ?? 0, middle) - apart);
  const high = Math.min(highest, Math.max(strikes.at(-1) ?? 0, middle) + apart);
  const margin = (high - low) * MARGIN_SHARE;
  return { low: Math.max(0, low - margin), high: high + margin };
}

/** The range with a price in it that is not at its edge. */
function widened({ low, high }: PayoffRange, at: number | undefined): PayoffRange {
  if (at === undefined) return { low, high };
  const margin = (high - low) * MARGIN_SHARE;
  return { low: Math.max(0, Math.min(low, at - margin)), high: Math.max(high, at + margin) };
}

/** True if no right is left over above or below all strikes. */
function isFlatOutside(legs: readonly PayoffLeg[], expiryTs: number): boolean {
  const net = { C: 0, P: 0 };
  for (const { right, qty } of legs) net[right] += qty;
  // Quantities are multiples of a millionth, their sums in floating point are not.
  const isNone = (qty: number) => Math.abs(qty) < 1e-7;
  return isNone(net.C) && isNone(net.P) && legs.every((leg) => leg.expiryTs === expiryTs);
}

function pictureSpots({ low, high }: PayoffRange, extra: readonly number[]): number[] {
  const spots = new Set(extra.filter((spot) => spot >= low && spot <= high));
  for (let i = 0; i <= POINTS; i++) spots.add(low + ((high - low) * i) / POINTS);
  return [...spots].sort((a, b) => a - b);
}

/** Evenly spaced prices over the range, rounded to the digits that the step needs. */
function tableSpots({ low, high }: PayoffRange): number[] {
  const step = (high - low) / (TABLE_POINTS - 1);
  const power = Math.floor(Math.log10(step)) - 1;
  // Divides for powers below one, which is exact where multiplying by a tenth is not.
  const rounded = (spot: number) =>
    power < 0 ? Math.round(spot * 10 ** -power) / 10 ** -power : Math.round(spot / 10 ** power) * 10 ** power;
  return Array.from({ length: TABLE_POINTS }, (_, i) => rounded(low + i * step));
}
