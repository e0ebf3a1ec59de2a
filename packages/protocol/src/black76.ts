/** Black's 1976 value of a European option on a forward, and how it changes. */

import { normalCdf, normalPdf } from './normal.ts';
import type { Right } from './series.ts';

export interface OptionTerms {
  readonly right: Right;
  readonly forward: number;
  readonly strike: number;
  /** Time over which the forward moves, in years; zero or less is expiry. */
  readonly years: number;
  /** Annual volatility as a fraction. */
  readonly vol: number;
  /** Continuous interest until the premium is worth its payout. The venue has none: its cash earns nothing. */
  readonly rate?: number;
}

/** Derivatives are by the forward, by 1.00 of volatility, and by a year that passes while the forward stays. */
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
 * Value and greeks of an option. Without time or volatility left it is worth what it would pay now. At a
 * forward of zero the price holds and the greeks do not; a negative one, or a strike of zero, is the caller's fault.
 *
 * @example valueOption({ right: 'C', forward: 100, strike: 100, years: 1, vol: 0.2 }).price // 7.9656
 */
export function valueOption(terms: OptionTerms): Valuation {
  const { right, forward, strike, rate = 0 } = terms;
  const years = Math.max(0, terms.years);
  const deviation = terms.vol * Math.sqrt(years);
  const discount = rate === 0 ? 1 : Math.exp(-rate * years);
  // Also where the deviation is too small for its square: d1 would be infinite over finite.
  if (!(deviation > DEVIATION_MIN)) return intrinsicValue(terms, discount);
  const d1 = Math.log(forward / strike) / deviation + deviation / 2;
  const sign = right === 'C' ? 1 : -1;
  const inside = sign * normalCdf(sign * d1);
  const density = normalPdf(d1);
  // Far out of the money the two products cancel to less than nothing.
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

/** Below this many standard deviations in all, nothing but the payout is left to value. */
const DEVIATION_MIN = 1e-9;

function intrinsicValue({ right, forward, strike, rate = 0 }: OptionTerms, discount: number): Valuation {
  const sign = right === 'C' ? 1 : -1;
  const price = discount * Math.max(0, sign * (forward - strike));
  return { price, delta: price > 0 ? sign * discount : 0, gamma: 0, vega: 0, theta: rate * price };
}
