/** The account's own resting orders that a close meets first: the venue counts them as closing already (TIF-3). */

import type { OpenOrder } from '@venue/protocol';

/** The account's own resting orders by series. */
export type RestingOrders = ReadonlyMap<string, readonly OpenOrder[]>;

/** Own orders that rest to close what this would: a reduce-only order is cut by what they would close (TIF-3). */
export function inTheWay(
  resting: RestingOrders,
  { seriesId, side }: { readonly seriesId: string; readonly side: OpenOrder['side'] },
): readonly OpenOrder[] {
  return (resting.get(seriesId) ?? []).filter((order) => order.side === side);
}

/** @example restingWords(2) // '2 resting orders' */
export function restingWords(count: number): string {
  return `${count} resting ${count === 1 ? 'order' : 'orders'}`;
}
