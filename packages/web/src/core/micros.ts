import { MICROS_PER_UNIT, type Micros } from '@venue/protocol';

/** An amount of the wire, in dollars or contracts, in whole micros; NaN for NaN. */
export function microsOf(amount: number): Micros {
  return Math.round(amount * MICROS_PER_UNIT) as Micros;
}
