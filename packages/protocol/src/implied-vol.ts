/**
 * The volatility at which Black's model gives a price. Histories rest on it, so like the model it has the same bits on
 * every machine.
 */

import { type OptionTerms, timeValue } from './black76.ts';
import { ln } from './exp-ln.ts';
import { normalPdf } from './normal.ts';

export interface PricedOption extends Pick<OptionTerms, 'right' | 'forward' | 'strike' | 'years'> {
  /** In the unit of forward and strike, not discounted. */
  readonly price: number;
}

/** Newton's method takes a handful of steps; halving alone would need some sixty. */
const STEPS_MAX = 100;
/** A step this small, relative to the result, leaves an error of about its square. */
const LAST_STEP = 1e-8;
/** Standard deviations until expiry at which no price is below its bound any more. */
const DEVIATION_MAX = 20;

/**
 * The annual volatility implied by the price of an option (HIS-3). Null without one: at or under intrinsic value,
 * at or over the most that the option can be worth, and without time left.
 *
 * @example impliedVol({ right: 'C', forward: 100, strike: 100, years: 1, price: 7.9656 }) // 0.2000
 */
export function impliedVol({ right, forward, strike, years, price }: PricedOption): number | null {
  const intrinsic = Math.max(0, right === 'C' ? forward - strike : strike - forward);
  const target = price - intrinsic;
  if (!(years > 0 && forward > 0 && strike > 0)) return null;
  if (!(target > 0 && target < Math.min(forward, strike))) return null;
  const deviation = impliedDeviation(forward, strike, target);
  return deviation < DEVIATION_MAX ? deviation / Math.sqrt(years) : null;
}

/**
 * Newton's method between bounds that close in. The time value is convex in the deviation up to one point and concave from
 * there on, so that the steps from that point approach the root from one side. Below it the logarithm is followed, which
 * is far straighter.
 */
function impliedDeviation(forward: number, strike: number, target: number): number {
  const moneyness = ln(forward / strike);
  const bend = Math.sqrt(2 * Math.abs(moneyness));
  let [low, high] = [0, DEVIATION_MAX];
  // At the money the bend is at zero, and the time value almost a line.
  let deviation = Math.max(bend, (2.5 * target) / forward);
  let isBelowBend: boolean | null = null;
  for (let step = 0; step < STEPS_MAX; step++) {
    const d1 = moneyness / deviation + deviation / 2;
    const value = timeValue(forward, strike, d1, deviation);
    const slope = forward * normalPdf(d1);
    isBelowBend ??= value > target;
    if (value < target) low = deviation;
    else high = deviation;
    const next = deviation - (isBelowBend ? (value / slope) * ln(value / target) : (value - target) / slope);
    if (Math.abs(next - deviation) <= LAST_STEP * deviation) return next;
    // The logarithm of zero is no number either, which the comparison refuses.
    deviation = next > low && next < high ? next : (low + high) / 2;
  }
  return deviation;
}
