/**
 * The result of options at one expiry as a function of the price: where it is zero, how much it is at best and at worst.
 * It is piecewise linear, and all of this exact, unless a leg expires later, whose model value is searched numerically.
 */

import { type PayoffLeg, profitAt } from './payoff-leg.ts';
import { NOISE, type PayoffRegion } from './regions.ts';

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

export function curveOf(legs: readonly PayoffLeg[], atMs: number, high: number): Curve {
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
  const highest = legs.reduce((most, { strike, price }) => Math.max(most, strike, price), 0);
  return (spot) => Math.max(NOISE, 8 * Number.EPSILON * contracts * (spot + highest));
}

function snapped(value: number, noise: number): number {
  return Math.abs(value) < noise ? 0 : value;
}

export function regionsOf(curve: Curve): PayoffRegion[] {
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

export function extremesOf(curve: Curve): { best: number; worst: number } {
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

/** Prices of the underlying. */
interface Stretch {
  readonly low: number;
  readonly high: number;
}

function around(samples: readonly Sample[], i: number): Stretch {
  return {
    low: samples[Math.max(0, i - 1)]!.spot,
    high: samples[Math.min(samples.length - 1, i + 1)]!.spot,
  };
}

/** The maximum in a range with a single peak, ends included. */
function peakValue(value: (spot: number) => number, range: Stretch): number {
  let { low, high } = range;
  for (let i = 0; i < HALVINGS; i++) {
    const third = (high - low) / 3;
    if (value(low + third) < value(high - third)) low += third;
    else high -= third;
  }
  return Math.max(value(range.low), value(range.high), value((low + high) / 2));
}
