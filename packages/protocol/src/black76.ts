/** Black's 1976 model: price and greeks of a European option on a forward. */

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

/**
 * Price and greeks of an option. With no time or volatility left, it is worth its payoff now. At a forward of zero the
 * price is valid but the greeks are not; a negative forward or a strike of zero is a caller's error.
 *
 * @example valueOption({ right: 'C', forward: 100, strike: 100, years: 1, vol: 0.2 }).price // 7.9656
 */
export function valueOption(terms: OptionTerms): Valuation {
  const { right, forward, strike, rate = 0 } = terms;
  const years = Math.max(0, terms.years);
  const deviation = terms.vol * Math.sqrt(years);
  const discount = rate === 0 ? 1 : Math.exp(-rate * years);
  // Also covers a deviation so small that its square underflows, which would make d1 infinite.
  if (!(deviation > DEVIATION_MIN)) return intrinsicValue(terms, discount);
  const d1 = Math.log(forward / strike) / deviation + deviation / 2;
  const sign = right === 'C' ? 1 : -1;
  const inside = sign * normalCdf(sign * d1);
  const density = normalPdf(d1);
  // Far out of the money the two products can cancel to slightly below zero.
  const undiscounted = Math.max(0, forward * inside - sign * strike * normalCdf(sign * (d1 - deviation)));
  const price = discount * undiscounted;
  return {
    price,
    delta: discount * inside,
    gamma: (discount * density) / (forward * deviation),
    vega: discount * forward * density * Math.sqrt(years),
    theta: rate * price - (discount * forward * density * terms.vol) / (2 * Math.sqrt(years)),
  };
}

/** With less total standard deviation than this, only the payoff is left to value. */
const DEVIATION_MIN = 1e-9;

function intrinsicValue({ right, forward, strike, rate = 0 }: OptionTerms, discount: number): Valuation {
  const sign = right === 'C' ? 1 : -1;
  const price = discount * Math.max(0, sign * (forward - strike));
  return { price, delta: price > 0 ? sign * discount : 0, gamma: 0, vega: 0, theta: rate * price };
}
