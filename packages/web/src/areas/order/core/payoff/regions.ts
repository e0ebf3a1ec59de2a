/** Where the result of an order at expiry is a gain and where a loss, and the sentence that says so. */

import { formatPrice } from '../../../../basics/numbers.ts';

/** Half a micro: no amount is smaller. */
export const NOISE = 5e-7;
/** A range of prices in which the result at expiry has one sign. The last region has no upper end. */
export interface PayoffRegion {
  readonly from: number;
  readonly to: number;
  readonly sign: -1 | 0 | 1;
}

/**
 * The payoff in words.
 *
 * @example sentenceOf(...) // 'Makes money above $101,240.00; loses at most $1,246.20.'
 */
export function sentenceOf(
  regions: readonly PayoffRegion[],
  { best, worst }: { best: number; worst: number },
): string {
  if (best - worst < NOISE) return fixedText(best);
  const gains = regions.filter(({ sign }) => sign > 0);
  const where = gains.length === regions.length ? 'at every price' : gains.map(stretchText).join(' and ');
  const most = best === Number.POSITIVE_INFINITY ? '' : `, at most ${dollars(best)}`;
  const gain = gains.length === 0 ? 'Never makes money' : `Makes money ${where}${most}`;
  return `${gain}; ${lossText(worst)}.`;
}

/** The sentence for a closed book, whose result no longer depends on the price. */
function fixedText(result: number): string {
  if (result === 0) return 'Neither makes nor loses money.';
  return result > 0
    ? `Makes ${dollars(result)} at every price.`
    : `Loses ${dollars(-result)} at every price.`;
}

function dollars(amount: number): string {
  return `$${formatPrice(amount)}`;
}

function stretchText({ from, to }: PayoffRegion): string {
  if (from === 0) return `below ${dollars(to)}`;
  if (to === Number.POSITIVE_INFINITY) return `above ${dollars(from)}`;
  return `between ${dollars(from)} and ${dollars(to)}`;
}

function lossText(worst: number): string {
  if (worst >= 0) return 'never loses';
  return worst === Number.NEGATIVE_INFINITY ? 'losses are unlimited' : `loses at most ${dollars(-worst)}`;
}
