/** What orders have realised: the sum of their fills, as far as the page has read them. */

import type { FillRecord, OrderRecord } from '@venue/protocol';
import { microsOf } from '../micros.ts';

/** Of an order, as it was answered. */
export type Traded = Pick<OrderRecord, 'id' | 'filledQty'> & { readonly legs?: readonly { ratio: number }[] };

/** What an order has realised, in dollars before fees, and whether it closed anything. */
export interface Realised {
  readonly usd: number;
  readonly isClose: boolean;
}

/**
 * The results of the orders whose fills are all among these, by order id. An order whose fills do not add up to what it
 * traded has none.
 *
 * @param fills in any order, each once
 */
export function realisedOf(
  orders: readonly Traded[],
  fills: readonly FillRecord[],
): ReadonlyMap<number, Realised> {
  const parts = Map.groupBy(fills, ({ orderId }) => orderId);
  const known = new Map<number, Realised>();
  for (const { id, filledQty, legs } of orders) {
    const own = parts.get(id);
    if (own === undefined) continue;
    const units = legs?.reduce((sum, { ratio }) => sum + ratio, 0) ?? 1;
    const micros = own.reduce((sum, { qty }) => sum + microsOf(qty), 0);
    if (micros === microsOf(filledQty) * units) known.set(id, sumOf(own));
  }
  return known;
}

/** In whole micros, so that decimals add up exactly. */
export function sumOf(fills: readonly Pick<FillRecord, 'realized'>[]): Realised {
  const micros = fills.map(({ realized }) => microsOf(realized));
  return { usd: micros.reduce((sum, one) => sum + one, 0) / 1e6, isClose: micros.some((one) => one !== 0) };
}

/** The orders that traded and whose fills are not all among those that were read. */
export function unread(orders: readonly Traded[], known: ReadonlyMap<number, Realised>): readonly Traded[] {
  return orders.filter(({ id, filledQty }) => filledQty > 0 && !known.has(id));
}
