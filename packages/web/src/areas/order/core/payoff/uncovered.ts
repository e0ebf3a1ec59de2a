/** Finds positions with unlimited loss (TERM-4). Only calls matter, as a price can rise without limit. */

import { MICROS_PER_UNIT } from '@venue/protocol';
import { microsOf } from '../../../../basics/micros.ts';
import type { PayoffLeg } from './payoff-leg.ts';

export interface Uncovered {
  /** Unix seconds. */
  readonly expiryTs: number;
  /** Contracts, above zero. */
  readonly qty: number;
}

/**
 * Expiries, ascending, with more calls sold than held; without any, losses are limited. Calls of one expiry cover each
 * other at any strikes, which only determine how much is lost. Calls of another expiry do not cover: an earlier one is
 * gone when the price rises later, and a later one may fall again after the earlier has been paid out.
 */
export function uncoveredCalls(
  legs: Iterable<Pick<PayoffLeg, 'right' | 'expiryTs' | 'qty'>>,
): readonly Uncovered[] {
  const netMicros = new Map<number, number>();
  for (const { right, expiryTs, qty } of legs) {
    // In whole micros, so that tenths return to exactly zero.
    if (right === 'C') netMicros.set(expiryTs, (netMicros.get(expiryTs) ?? 0) + microsOf(qty));
  }
  return [...netMicros]
    .filter(([, micros]) => micros < 0)
    .sort(([a], [b]) => a - b)
    .map(([expiryTs, micros]) => ({ expiryTs, qty: -micros / MICROS_PER_UNIT }));
}
