/** Quantities resting in the book. */

import type { OpenOrder } from '@venue/protocol';

const MICROS = 1_000_000;

/** The total remaining quantity of one side's orders. */
export function restingQty(orders: readonly OpenOrder[], side: OpenOrder['side']): number {
  const waiting = orders.filter((order) => order.side === side);
  // In whole micros, because 0.1 + 0.2 does not add up exactly.
  return waiting.reduce((sum, { remaining }) => sum + Math.round(remaining * MICROS), 0) / MICROS;
}
