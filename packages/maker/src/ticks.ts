/** The grid of prices the maker quotes on: coarser for more expensive options, exact in micros (NUM-2). */

import { MICROS_PER_UNIT } from '@venue/protocol';

/**
 * Price steps by premium, in micros; the first row whose bound is above the price applies. Each bound is a multiple
 * of the steps on both its sides, so that rounding preserves the order of two prices.
 */
const STEPS: readonly (readonly [below: number, stepMicros: number])[] = [
  [10, 10_000],
  [100, 50_000],
  [1_000, 500_000],
  [Number.POSITIVE_INFINITY, 5_000_000],
];

/** Tolerance for rounding errors of doubles, relative to a step. */
const EPSILON = 1e-9;

/** The step at a price, in units of price. */
export function tickAt(price: number): number {
  return stepAt(price) / MICROS_PER_UNIT;
}

/** The nearest price of the grid at or below; 0 if there is none above zero. */
export function tickBelow(price: number): number {
  const step = stepAt(price);
  return Math.max(0, Math.floor((price * MICROS_PER_UNIT) / step + EPSILON) * step) / MICROS_PER_UNIT;
}

/** The nearest price of the grid at or above. */
export function tickAbove(price: number): number {
  const step = stepAt(price);
  return (Math.ceil((price * MICROS_PER_UNIT) / step - EPSILON) * step) / MICROS_PER_UNIT;
}

function stepAt(price: number): number {
  for (const [below, stepMicros] of STEPS) if (price < below) return stepMicros;
  return STEPS.at(-1)![1];
}
