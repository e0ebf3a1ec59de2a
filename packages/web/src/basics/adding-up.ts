/** Parts of a sum as a table shows them: rounded, and still adding up to the sum beside them (TERM-23). */

import { MICROS_PER_UNIT } from '@venue/protocol';
import { microsOf } from './micros.ts';

const CENT_MICROS = MICROS_PER_UNIT / 100;

/**
 * Dollars in whole cents that add up to the total in whole cents: the cents that rounding leaves go to the parts that
 * come nearest to another one, so that each is off by less than a cent.
 *
 * @param parts dollars that add up to the total, but for less than a cent each
 * @example addingUp(0.02, [0.005, 0.005, 0.01]) // [0.01, 0, 0.01]
 */
export function addingUp(total: number, parts: readonly number[]): number[] {
  const cents = parts.map((part) => microsOf(part) / CENT_MICROS);
  const whole = cents.map(Math.floor);
  const left = centsOf(total) - whole.reduce((sum, one) => sum + one, 0);
  const nearest = cents.map((_, at) => at).sort((a, b) => cents[b]! - whole[b]! - (cents[a]! - whole[a]!));
  for (const at of left >= 0 ? nearest.slice(0, left) : nearest.slice(left)) whole[at]! += Math.sign(left);
  return whole.map((one) => one / 100);
}

/** Dollars in whole cents, rounded as the page rounds all its numbers: half away from zero. */
export function inCents(usd: number): number {
  return centsOf(usd) / 100;
}

function centsOf(usd: number): number {
  const cents = Math.floor((Math.abs(microsOf(usd)) + CENT_MICROS / 2) / CENT_MICROS);
  return usd < 0 ? 0 - cents : cents;
}
