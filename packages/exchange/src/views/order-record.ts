/** Orders as their lookup shows them (CID-2, DET-4). */

import { microsToDecimal, type OrderList, type OrderRecord, toMicros } from '@venue/protocol';
import type { OrdersPage, StoredOrder } from '../history/order-reads.ts';

export function orderListView({ orders, hasMore, completeFromMs }: OrdersPage): OrderList {
  return {
    orders: orders.map(orderView),
    ...(hasMore && { before: orders.at(-1)!.id }),
    ...(completeFromMs > 0 && { completeFrom: completeFromMs }),
  };
}

export function orderView(order: StoredOrder): OrderRecord {
  const { qty, filled, cause, clientId, expiresAt } = order;
  return {
    id: order.id,
    ...(clientId !== null && { clientId }),
    seriesId: order.seriesId,
    symbol: order.symbol,
    side: order.side,
    price: order.price === null ? null : decimal(order.price),
    qty: decimal(qty),
    remaining: decimal(cause === null ? qty - filled : 0),
    filledQty: decimal(filled),
    avgPrice: averagePrice(order),
    tif: order.tif,
    ...(expiresAt !== null && { expiresAt }),
    flag: order.flag,
    status: statusOf(order),
    cause,
    ts: order.ts,
    closedAt: order.closedAt,
  };
}

function statusOf({ cause }: StoredOrder): OrderRecord['status'] {
  switch (cause) {
    case null:
      return 'open';
    case 'filled':
      return 'filled';
    case 'gtd':
      return 'expired';
    default:
      return 'cancelled';
  }
}

/** Rounded down to the micro, as the average of a position is. */
function averagePrice({ filled, value }: StoredOrder): number | null {
  if (filled === 0 || value === null) return null;
  return decimal(Number(BigInt(value) / BigInt(filled)));
}

function decimal(micros: number): number {
  return microsToDecimal(toMicros(micros));
}
