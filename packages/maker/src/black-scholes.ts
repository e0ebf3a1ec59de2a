/**
 * Fair value of a European option, without interest or dividends: premiums are paid and settled in dollars, and
 * the spot is taken for the forward.
 */

import type { Right } from '@venue/protocol';
import { normalCdf, normalPdf } from './normal.ts';

export interface OptionTerms {
  readonly right: Right;
  readonly spot: number;
  readonly strike: number;
  /** Time to expiry in years; zero or less is expiry. */
  readonly years: number;
  /** Annual volatility as a fraction. */
  readonly vol: number;
}

export interface Valuation {
  readonly price: number;
  /** Change of price per change of spot; between -1 and 0 for a put. */
  readonly delta: number;
  /** Change of price per 1.00 of volatility. */
  readonly vega: number;
}

/**
 * Black-Scholes value of an option with its delta and vega.
 *
 * @example valueOption({ right: 'C', spot: 100, strike: 100, years: 1, vol: 0.2 }).price // 7.9656
 */
export function valueOption(terms: OptionTerms): Valuation {
  const { right, spot, strike, years, vol } = terms;
  const deviation = vol * Math.sqrt(Math.max(0, years));
  if (deviation === 0) return intrinsicValue(terms);
  const d1 = Math.log(spot / strike) / deviation + deviation / 2;
  const d2 = d1 - deviation;
  const sign = right === 'C' ? 1 : -1;
  const delta = sign * normalCdf(sign * d1);
  return {
    // Far out of the money the two products cancel to less than nothing.
    price: Math.max(0, spot * delta - sign * strike * normalCdf(sign * d2)),
    delta,
    vega: spot * normalPdf(d1) * Math.sqrt(years),
  };
}

function intrinsicValue({ right, spot, strike }: OptionTerms): Valuation {
  const sign = right === 'C' ? 1 : -1;
  const price = Math.max(0, sign * (spot - strike));
  return { price, delta: price > 0 ? sign : 0, vega: 0 };
}
