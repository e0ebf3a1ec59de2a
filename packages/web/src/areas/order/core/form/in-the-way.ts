/** Own resting orders that stand in the way of a close: the venue counts them as closing the position already (TIF-3). */

import type { OpenOrder } from '@venue/protocol';

/** The account's own resting orders by series. */
export type RestingOrders = ReadonlyMap<string, readonly OpenOrder[]>;

/** The resting orders on the same side of the series, by whose size the venue would cut a reduce-only order. */
export function inTheWay(
  resting: RestingOrders,
  { seriesId, side }: { readonly seriesId: string; readonly side: OpenOrder['side'] },
): readonly OpenOrder[] {
  return (resting.get(seriesId) ?? []).filter((order) => order.side === side);
}

/** @example restingCount(2) // '2 resting orders' */
export function restingCount(count: number): string {
  return `${count} resting ${count === 1 ? 'order' : 'orders'}`;
}
