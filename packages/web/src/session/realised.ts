/** The realised result of orders: the sum of their fills, as far as the page has read them. */

import { type FillRecord, MICROS_PER_UNIT, type OrderRecord } from '@venue/protocol';
import { microsOf } from '../basics/micros.ts';
import { formatPnl } from '../basics/numbers.ts';

/** An order, and how many contracts it has traded, of all its legs together. */
export interface Traded {
  readonly orderId: number;
  readonly contractsMicros: number;
}

/** The realised result of an order, in dollars before fees, and whether it closed anything. */
export interface Realised {
  readonly usd: number;
  readonly isClose: boolean;
}

export function tradedOf(order: OrderRecord): Traded {
  const perUnit = 'legs' in order ? order.legs.reduce((sum, { ratio }) => sum + ratio, 0) : 1;
  return { orderId: order.id, contractsMicros: microsOf(order.filledQty) * perUnit };
}

/** The order of an answer, whose fills are all that it has traded. */
export function tradedBy(orderId: number, fills: readonly Pick<FillRecord, 'qty'>[]): Traded {
  return { orderId, contractsMicros: fills.reduce((sum, { qty }) => sum + microsOf(qty), 0) };
}

/**
 * The results of the orders whose fills are all among these, by order id: an order whose fills do not add up to what it
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
  for (const { orderId, contractsMicros } of orders) {
    const own = parts.get(orderId) ?? [];
    const read = tradedBy(orderId, own);
    if (own.length > 0 && read.contractsMicros === contractsMicros) known.set(orderId, sumOf(own));
  }
  return known;
}

/** In whole micros, so that decimals add up exactly. */
export function sumOf(fills: readonly Pick<FillRecord, 'realized'>[]): Realised {
  const micros = fills.map(({ realized }) => microsOf(realized));
  const sum = micros.reduce((total, one) => total + one, 0);
  return { usd: sum / MICROS_PER_UNIT, isClose: micros.some((one) => one !== 0) };
}

/** For a card; nothing of an order that closed nothing. */
export function realisedText({ usd, isClose }: Realised): string {
  return isClose ? ` Realised ${formatPnl(usd, '$')}.` : '';
}
