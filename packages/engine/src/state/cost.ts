/** The maximum cost of an order. */

import { MICROS_MAX, MICROS_PER_UNIT, type Micros, mulDivCeil } from '@venue/protocol';

/** The reserve of a resting buy: its maximum cost, without a fee (FINE-9). */
export function costMicros(priceMicros: number, qtyMicros: number): Micros {
  return mulDivCeil(priceMicros, qtyMicros, MICROS_PER_UNIT);
}

/** False if the full cost of an order is beyond the exact range (NUM-1). */
export function isCostExact(priceMicros: number, qtyMicros: number): boolean {
  if (priceMicros * qtyMicros <= MICROS_MAX) return true;
  return BigInt(priceMicros) * BigInt(qtyMicros) <= BigInt(MICROS_MAX) * BigInt(MICROS_PER_UNIT);
}
