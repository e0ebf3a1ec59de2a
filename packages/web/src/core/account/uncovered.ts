/** Whether what is held can lose without a limit (TERM-4): that is decided by calls alone, as a price can rise for ever. */

import { MICROS_PER_UNIT } from '@venue/protocol';
import type { PayoffLeg } from '../ticket/payoff.ts';

export interface Uncovered {
  /** Unix seconds. */
  readonly expiryTs: number;
  /** Contracts, above zero. */
  readonly qty: number;
}

/**
 * Expiries, ascending, of which more calls are sold than held: losses have a limit where there are none. Calls of one
 * expiry cover each other whatever their strikes, which only say how much is lost. Those of another cover nothing: an
 * earlier one is gone when the price rises after it, and a later one may fall again after the earlier has been paid out.
 */
export function uncoveredCalls(
  legs: Iterable<Pick<PayoffLeg, 'right' | 'expiryTs' | 'qty'>>,
): readonly Uncovered[] {
  const netMicros = new Map<number, number>();
  for (const { right, expiryTs, qty } of legs) {
    // In whole micros: tenths have to come back to zero.
    if (right === 'C')
      netMicros.set(expiryTs, (netMicros.get(expiryTs) ?? 0) + Math.round(qty * MICROS_PER_UNIT));
  }
  return [...netMicros]
    .filter(([, micros]) => micros < 0)
    .sort(([a], [b]) => a - b)
    .map(([expiryTs, micros]) => ({ expiryTs, qty: -micros / MICROS_PER_UNIT }));
}
