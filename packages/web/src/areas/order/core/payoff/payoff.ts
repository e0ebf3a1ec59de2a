/**
 * Profit and loss of a set of options on one underlying, at a chosen expiry and today, over a range of prices. At
 * expiry the result is piecewise linear, so zeros and extremes are exact. A leg that expires later is at its model
 * value then, and they are searched for numerically.
 */

import type { Position, Right } from '@venue/protocol';
import { valueOption } from '@venue/protocol/black76';
import { yearsUntil } from '../../../../market/years.ts';
import { NOISE, type PayoffRegion, sentenceOf } from './regions.ts';

/** An option held, or one a ticket would trade. */
export interface PayoffLeg {
  readonly seriesId: string;
  readonly right: Right;
  /** Dollars. */
  readonly strike: number;
  /** Unix seconds. */
  readonly expiryTs: number;
  /** Contracts, negative for a short. */
  readonly qty: number;
  /** Premium per contract at entry, in dollars. */
  readonly price: number;
  /** Paid for the whole leg, in dollars. */
  readonly fee: number;
  /** Annual volatility as a fraction; 0 when unknown. */
  readonly iv: number;
}

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

/**
 * Result in dollars of legs that can be valued, at a price and a time: expired legs at their payout, the rest at model
 * value.
 */
export function profitAt(legs: readonly PayoffLeg[], spot: number, atMs: number): number {
  let profit = 0;
  for (const { right, strike, expiryTs, qty, price, fee, iv } of legs) {
    const value = valueOption({
      right,
      forward: spot,
      strike,
      years: yearsUntil(expiryTs, atMs),
      vol: iv,
    }).price;
    profit += qty * (value - price) - fee;
  }
  return profit;
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

interface Sample {
  readonly spot: number;
  readonly profit: number;
}

/** The result at expiry as a function of the price, with its known shape. */
interface Curve {
  readonly profit: (spot: number) => number;
  /** Ascending, without duplicates. */
  readonly strikes: readonly number[];
  /** Ascending from zero, so dense that the result turns or crosses zero at most once between two. */
  readonly samples: readonly Sample[];
  readonly isLinear: boolean;
  /** Slope above all strikes, in dollars per dollar. */
  readonly slopeAbove: number;
  /** The result far above all strikes, where its slope is zero. */
  readonly limitAbove: number;
}

/** Samples of a result that is not piecewise linear: evenly spaced over the picture, and in growing steps beyond it. */
const SAMPLES = 256;
const SAMPLES_BEYOND = 24;
const GROWTH = 1.15;

function curveOf(legs: readonly PayoffLeg[], atMs: number, high: number): Curve {
  const strikes = [...new Set(legs.map(({ strike }) => strike))].sort((a, b) => a - b);
  const isLinear = legs.every(({ expiryTs }) => expiryTs * 1_000 <= atMs);
  const calls = legs.filter(({ right }) => right === 'C');
  const slopeAbove = snapped(
    calls.reduce((sum, { qty }) => sum + qty, 0),
    NOISE,
  );
  const paid = legs.reduce((sum, { qty, price, fee }) => sum + qty * price + fee, 0);
  const noise = noiseOf(legs);
  const profit = (spot: number) => snapped(profitAt(legs, spot, atMs), noise(spot));
  const limitAbove = snapped(calls.reduce((sum, { qty, strike }) => sum - qty * strike, 0) - paid, noise(0));
  const spots = new Set([0, ...strikes]);
  for (let i = 1; !isLinear && i <= SAMPLES; i++) spots.add((high * i) / SAMPLES);
  for (let i = 1; !isLinear && i <= SAMPLES_BEYOND; i++) spots.add(high * GROWTH ** i);
  const ascending = [...spots].sort((a, b) => a - b);
  ascending.push(beyond(ascending.at(-1)!, slopeAbove, profit));
  const samples = ascending.map((spot) => ({ spot, profit: profit(spot) }));
  return { profit, strikes, samples, isLinear, slopeAbove, limitAbove };
}

/** A price above all others, so high that the result has reached its final sign. */
function beyond(last: number, slopeAbove: number, profit: Curve['profit']): number {
  const above = 2 * Math.max(last, 1);
  return slopeAbove === 0 ? above : above + 2 * Math.abs(profit(above) / slopeAbove);
}

/** Floating-point noise of a zero result, at a price of the underlying. */
function noiseOf(legs: readonly PayoffLeg[]): (spot: number) => number {
  const contracts = legs.reduce((sum, { qty }) => sum + Math.abs(qty), 0);
  const dearest = legs.reduce((most, { strike, price }) => Math.max(most, strike, price), 0);
  return (spot) => Math.max(NOISE, 8 * Number.EPSILON * contracts * (spot + dearest));
}

function snapped(value: number, noise: number): number {
  return Math.abs(value) < noise ? 0 : value;
}

function regionsOf(curve: Curve): PayoffRegion[] {
  const zeros = zerosOf(curve).filter((zero) => zero > 0);
  const bounds = [0, ...zeros, Number.POSITIVE_INFINITY];
  const regions: PayoffRegion[] = [];
  for (let i = 1; i < bounds.length; i++) {
    const [from, to] = [bounds[i - 1]!, bounds[i]!];
    const inside =
      to === Number.POSITIVE_INFINITY ? Math.max(from * 2, curve.samples.at(-1)!.spot) : (from + to) / 2;
    const sign = Math.sign(curve.profit(inside)) as PayoffRegion['sign'];
    const before = regions.at(-1);
    // A zero that is touched but not crossed separates nothing.
    if (before?.sign === sign) regions[regions.length - 1] = { ...before, to };
    else regions.push({ from, to, sign });
  }
  return regions;
}

/** Prices at which the result is zero; for a zero stretch, its ends and the samples within. */
function zerosOf({ profit, samples, isLinear }: Curve): number[] {
  const zeros: number[] = [];
  const find = isLinear ? interpolatedZero : bisectedZero;
  for (const [i, high] of samples.entries()) {
    const low = samples[i - 1];
    if (high.profit === 0) zeros.push(high.spot);
    else if (low !== undefined && low.profit * high.profit < 0) zeros.push(find(low, high, profit));
  }
  return zeros;
}

function interpolatedZero(low: Sample, high: Sample): number {
  return low.spot + ((high.spot - low.spot) * low.profit) / (low.profit - high.profit);
}

const HALVINGS = 48;

function bisectedZero(low: Sample, high: Sample, profit: Curve['profit']): number {
  let [from, to] = [low.spot, high.spot];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (from + to) / 2;
    if (profit(middle) * low.profit > 0) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

function extremesOf(curve: Curve): { best: number; worst: number } {
  const best = highestOf(curve, 1);
  const worst = -highestOf(curve, -1);
  return { best, worst: worst === 0 ? 0 : worst };
}

/** The maximum of the result, or of its negation. */
function highestOf({ profit, samples, isLinear, slopeAbove, limitAbove }: Curve, sign: 1 | -1): number {
  if (sign * slopeAbove > 0) return Number.POSITIVE_INFINITY;
  const values = samples.map((sample) => sign * sample.profit);
  const top = values.reduce((highest, value) => Math.max(highest, value), Number.NEGATIVE_INFINITY);
  const found = isLinear
    ? top
    : peakValue((spot) => sign * profit(spot), around(samples, values.indexOf(top)));
  return slopeAbove === 0 ? Math.max(found, sign * limitAbove) : found;
}

function around(samples: readonly Sample[], i: number): PayoffRange {
  return {
    low: samples[Math.max(0, i - 1)]!.spot,
    high: samples[Math.min(samples.length - 1, i + 1)]!.spot,
  };
}

/** The maximum in a range with a single peak, ends included. */
function peakValue(value: (spot: number) => number, range: PayoffRange): number {
  let { low, high } = range;
  for (let i = 0; i < HALVINGS; i++) {
    const third = (high - low) / 3;
    if (value(low + third) < value(high - third)) low += third;
    else high -= third;
  }
  return Math.max(value(range.low), value(range.high), value((low + high) / 2));
}
