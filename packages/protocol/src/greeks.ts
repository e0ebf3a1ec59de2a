/** The greeks of an option in the units in which traders quote them. */

import { type UndiscountedTerms, valueOption } from './black76.ts';

const DAYS_PER_YEAR = 365;
const POINTS = 100;

export interface Greeks {
  readonly delta: number;
  /** Change of delta for a dollar of the underlying. */
  readonly gamma: number;
  /** Change of price for 0.01 of volatility. */
  readonly vega: number;
  /** Change of price in a day; negative, as time costs the holder. */
  readonly theta: number;
}

/**
 * Greeks of an option on a forward, without interest, by Black-76 (HIS-3).
 *
 * @example greeksOf({ right: 'C', forward: 100, strike: 100, years: 1, vol: 0.2 }).vega // 0.3970
 */
export function greeksOf(terms: UndiscountedTerms): Greeks {
  const { delta, gamma, vega, theta } = valueOption(terms);
  return { delta, gamma, vega: vega / POINTS, theta: theta / DAYS_PER_YEAR };
}

/**
 * Greeks of an option whose price is its payoff at the forward: delta by moneyness, and nothing else moves (HIS-3).
 *
 * @example greeksOfPayoff({ right: 'P', forward: 90, strike: 100 }).delta // -1
 */
export function greeksOfPayoff({
  right,
  forward,
  strike,
}: Pick<UndiscountedTerms, 'right' | 'forward' | 'strike'>): Greeks {
  const call = right === 'C';
  const isInTheMoney = call ? forward > strike : forward < strike;
  return { delta: isInTheMoney ? (call ? 1 : -1) : 0, gamma: 0, vega: 0, theta: 0 };
}
