/** Amounts of the wire, in dollars or contracts, and whole micros. */

import { MICROS_PER_UNIT, type Micros, microsToDecimal, toMicros } from '@venue/protocol';

/** An amount in whole micros; NaN for NaN. */
export function microsOf(amount: number): Micros {
  return Math.round(amount * MICROS_PER_UNIT) as Micros;
}

/** An amount rounded to whole micros. Throws for one that is beyond what the wire carries, or NaN. */
export function inMicros(amount: number): number {
  return microsToDecimal(toMicros(microsOf(amount)));
}
