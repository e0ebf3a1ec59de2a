/** True if positions can be closed, or rolled, by one combo. Small, as the page asks before the tray is loaded. */

import { COMBO_LEGS_MAX, COMBO_LEGS_MIN, LEG_RATIO_MAX, type Position } from '@venue/protocol';
import { microsOf } from '../../../../basics/micros.ts';

/** Contracts held, negative for a short. */
export interface Held {
  readonly seriesId: string;
  readonly qty: number;
}

/** False for one position or more than four, and for quantities whose ratio takes a number above ten (CMB-1). */
export function isCombo(positions: readonly Held[]): boolean {
  if (positions.length < COMBO_LEGS_MIN || positions.length > COMBO_LEGS_MAX) return false;
  const unit = commonMicros(positions);
  return unit > 0 && sizesOf(positions).every((size) => size / unit <= LEG_RATIO_MAX);
}

/** A roll has two legs for each, so that one order moves two at most; they leave one expiry for another. */
export function canRoll(positions: readonly Pick<Position, 'expiryTs'>[]): boolean {
  const isOfOneExpiry = positions.every(({ expiryTs }) => expiryTs === positions[0]!.expiryTs);
  return 2 * positions.length <= COMBO_LEGS_MAX && isOfOneExpiry;
}

/** The largest quantity, in micros, that all of these are multiples of; none of an empty list. */
export function commonMicros(positions: readonly Held[]): number {
  return sizesOf(positions).reduce(commonDivisor);
}

function sizesOf(positions: readonly Held[]): number[] {
  return positions.map(({ qty }) => microsOf(Math.abs(qty)));
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
