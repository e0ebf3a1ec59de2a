/** What an option is worth by Black and Scholes at the volatility that the market maker annotates. Interest is zero. */

import type { Right } from '@venue/protocol';
import { SETTLEMENT_WINDOW_MS } from '../dates.ts';

const YEAR_MS = 365 * 24 * 3_600_000;

export interface OptionTerms {
  readonly right: Right;
  /** Price of the underlying in dollars. As cash earns nothing here, it is the forward as well. */
  readonly spot: number;
  readonly strike: number;
  /** See `yearsUntil`; zero or less is expiry. */
  readonly years: number;
  /** Annual volatility as a fraction. */
  readonly iv: number;
}

/**
 * Value of one contract, in dollars. Without time or volatility left it is what the contract would pay now.
 *
 * @example optionValue({ right: 'C', spot: 100, strike: 100, years: 1, iv: 0.2 }) // 7.9656
 */
export function optionValue({ right, spot, strike, years, iv }: OptionTerms): number {
  const sign = right === 'C' ? 1 : -1;
  const deviation = iv * Math.sqrt(Math.max(0, years));
  // Also where the deviation is too small to divide by.
  if (!(deviation > DEVIATION_MIN)) return Math.max(0, sign * (spot - strike));
  const d1 = Math.log(spot / strike) / deviation + deviation / 2;
  const value = sign * (spot * normalCdf(sign * d1) - strike * normalCdf(sign * (d1 - deviation)));
  // Far out of the money the two products cancel to less than nothing.
  return Math.max(0, value);
}

const DEVIATION_MIN = 1e-9;

/**
 * Time over which a contract's price still moves, in years of 365 days. The venue settles on the average of the last
 * half hour, which has a third of the variance of its end: two thirds of that half hour do not count, and of what is
 * left within it one third does.
 */
export function yearsUntil(expiryTs: number, atMs: number): number {
  const leftMs = Math.max(0, expiryTs * 1_000 - atMs);
  const averagedMs = Math.min(leftMs, SETTLEMENT_WINDOW_MS);
  return (leftMs - (2 / 3) * averagedMs) / YEAR_MS;
}

/** Density of the standard normal distribution. */
export function normalPdf(x: number): number {
  return Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
}

/** Probability that a standard normal number is no greater than x, to 1e-15; in the tails to 1e-9 of itself. */
export function normalCdf(x: number): number {
  const tail = upperTail(Math.abs(x));
  return x > 0 ? 1 - tail : tail;
}

/** Where the series would lose its digits to the half that it is taken from. */
const SERIES_MAX = 4;
const FRACTION_DEPTH = 40;

function upperTail(x: number): number {
  if (!(x < Number.POSITIVE_INFINITY)) return Number.isNaN(x) ? x : 0;
  return x < SERIES_MAX ? 0.5 - normalPdf(x) * oddSeries(x) : normalPdf(x) / continuedFraction(x);
}

/** x + x^3/3 + x^5/(3·5) + …: the distribution between 0 and x, over its density at x. */
function oddSeries(x: number): number {
  let term = x;
  let sum = 0;
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    sum += term;
    term *= (x * x) / odd;
  }
  return sum;
}

/** x + 1/(x + 2/(x + 3/…)): the density over the tail beyond x. */
function continuedFraction(x: number): number {
  let value = x;
  for (let i = FRACTION_DEPTH; i > 0; i--) value = x + i / value;
  return value;
}
