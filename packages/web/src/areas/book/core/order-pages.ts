/** Pages of closed orders, joined to one list (CID-2). */

import type { OrderList, OrderRecord } from '@venue/protocol';

export interface ClosedOrders {
  /** As the venue lists them, by id, the newest first; null before the first page has come. */
  readonly orders: readonly OrderRecord[] | null;
  /** Where the next older page begins; null if there is none. */
  readonly before: number | null;
  /** Since when the venue's history is complete; null where it goes back to the account's first order. */
  readonly completeFrom: number | null;
}

export const NO_PAGES: ClosedOrders = { orders: null, before: null, completeFrom: null };

/** Takes the newest page once more. Older orders stay, except where it is too new to reach them. */
export function withNewest(known: ClosedOrders, page: OrderList): ClosedOrders {
  const lowest = page.orders.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  const reachesThem = known.orders?.some(({ id }) => id >= lowest) ?? false;
  if (page.before === undefined || !reachesThem) return fromPage(page, page.orders);
  const older = known.orders?.filter(({ id }) => id < lowest) ?? [];
  return older.length === 0 ? fromPage(page, page.orders) : { ...known, orders: [...page.orders, ...older] };
}

/** Adds the page before the oldest order. */
export function withOlder(known: ClosedOrders, page: OrderList): ClosedOrders {
  const { orders, before } = known;
  if (orders === null || before === null) return known;
  return fromPage(page, [...orders, ...page.orders.filter(({ id }) => id < before)]);
}

/**
 * Drops the pages that an order belongs to which has closed just now: in them it would be missing. What is left ends
 * above that order.
 */
export function withoutPagesOf(known: ClosedOrders, closedIds: readonly number[]): ClosedOrders {
  const highest = Math.max(0, ...closedIds);
  const orders = known.orders?.filter(({ id }) => id > highest) ?? [];
  if (known.orders === null || orders.length === 0 || orders.length === known.orders.length) return known;
  return { ...known, orders, before: orders.at(-1)!.id };
}

/**
 * The orders as they are shown, the newest close first. Pages are of orders by id, so that an order of an older page may
 * have closed later than those above it: it takes its place among them. Of those closed at one moment the newest is first.
 */
export function newestCloseFirst(orders: readonly OrderRecord[]): OrderRecord[] {
  return orders.toSorted((a, b) => (b.closedAt ?? 0) - (a.closedAt ?? 0) || b.id - a.id);
}

function fromPage(page: OrderList, orders: readonly OrderRecord[]): ClosedOrders {
  return { orders, before: page.before ?? null, completeFrom: page.completeFrom ?? null };
}
