/** Greatest loss and gain and break-evens of an order as its picture has them: at its first expiry. */

import type { Outcome } from '@venue/sdk/spreads';
import type { Payoff } from '../payoff/payoff.ts';
import { namedLegs } from './legs.ts';
import type { Consequences, TrayTerms } from './terms.ts';

export interface NearFigures extends Outcome {
  /** Unix seconds of the expiry that they are of, where others follow; null where there is but one. */
  readonly expiryTs: number | null;
  /** True where the order held past that expiry can lose without a bound: margin counts no later leg as cover. */
  readonly isOpenAfter: boolean;
}

/**
 * Legs of one expiry have an exact outcome. With several, those that expire later count at their model value at the first:
 * null while that is not computed, or a volatility is not known.
 */
export function nearFigures(
  { legs }: Pick<TrayTerms, 'legs'>,
  { greatestLoss, greatestGain, breakEvens }: Consequences,
  payoff: Payoff | null,
): NearFigures | null {
  const expiries = new Set(namedLegs(legs).map(({ expiryTs }) => expiryTs));
  if (expiries.size === 1)
    return { greatestLoss, greatestGain, breakEvens, expiryTs: null, isOpenAfter: false };
  if (payoff === null || payoff.leftOutAtExpiry.length > 0) return null;
  return {
    greatestLoss: bounded(-payoff.worst),
    greatestGain: bounded(payoff.best),
    breakEvens: payoff.breakEvens,
    expiryTs: payoff.expiryTs,
    isOpenAfter: greatestLoss === null,
  };
}

function bounded(amount: number): number | null {
  return Number.isFinite(amount) ? amount : null;
}
