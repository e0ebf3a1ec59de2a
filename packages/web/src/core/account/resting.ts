/** What of a contract waits in the book. */

import type { OpenOrder } from '@venue/protocol';

const MICROS = 1_000_000;

/** The contracts that orders of one side still wait for. */
export function restingQty(orders: readonly OpenOrder[], side: OpenOrder['side']): number {
  const waiting = orders.filter((order) => order.side === side);
  // In whole micros, as decimals do not add up: 0.1 + 0.2.
  return waiting.reduce((sum, { remaining }) => sum + Math.round(remaining * MICROS), 0) / MICROS;
}
