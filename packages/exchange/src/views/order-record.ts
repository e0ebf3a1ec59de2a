/** Orders as their lookup shows them (CID-2, DET-4). */

import {
  type ComboLeg,
  type ComboRecord,
  microsToDecimal,
  type OrderList,
  type OrderRecord,
  type PlainOrderRecord,
  toMicros,
} from '@venue/protocol';
import type { OrdersPage, StoredOrder } from '../history/order-reads.ts';
import type { RecordedTerms } from '../history/rows.ts';

export function orderListView({ orders, hasMore, completeFromMs }: OrdersPage): OrderList {
  return {
    orders: orders.map(orderView),
    ...(hasMore && { before: orders.at(-1)!.id }),
    ...(completeFromMs > 0 && { completeFrom: completeFromMs }),
  };
}

export function orderView(order: StoredOrder): OrderRecord {
  return order.legs === null ? plainView(order) : comboView(order, order.legs);
}

/** A combo has legs and a net in place of series, side and price (CID-2). */
function comboView(order: StoredOrder, legs: string): ComboRecord {
  const { cause, clientId } = order;
  return {
    id: order.id,
    ...(clientId !== null && { clientId }),
    legs: legs.split(',').map(legView),
    symbol: order.symbol,
    net: order.price === null ? null : decimal(order.price),
    qty: decimal(order.qty),
    remaining: 0,
    filledQty: decimal(order.filled),
    avgPrice: averagePrice(order),
    tif: order.tif === 'fok' ? 'fok' : 'ioc',
    flag: null,
    status: cause === 'filled' ? 'filled' : 'cancelled',
    cause,
    ts: order.ts,
    closedAt: order.closedAt,
  };
}

/** As `legsText` wrote it. */
function legView(text: string): ComboLeg {
  const [side, ratio, seriesId] = text.split(':');
  return { seriesId: seriesId!, side: side as ComboLeg['side'], ratio: Number(ratio) };
}

function plainView(order: StoredOrder): PlainOrderRecord {
  const { qty, filled, cause, clientId } = order;
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
    ...shownTerms(order),
    status: statusOf(order),
    cause,
    ts: order.ts,
    closedAt: order.closedAt,
  };
}

/** Null and undefined both stand for a term that an order does without. */
type ShownTerms = Pick<RecordedTerms, 'tif'> & {
  readonly [N in Exclude<keyof RecordedTerms, 'tif' | 'clientId'>]?: RecordedTerms[N] | undefined;
};

/** The terms of an order beside its client id. */
export function shownTerms({
  tif,
  expiresAt = null,
  flag = null,
  ...others
}: ShownTerms): Pick<PlainOrderRecord, 'tif' | 'expiresAt' | 'flag'> {
  // A term that is not shown does not compile.
  others satisfies Record<string, never>;
  return { tif, ...(expiresAt !== null && { expiresAt }), flag };
}

function statusOf({ cause }: StoredOrder): PlainOrderRecord['status'] {
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
  const [sum, by] = [BigInt(value), BigInt(filled)];
  const whole = sum / by;
  return decimal(Number(sum % by < 0n ? whole - 1n : whole));
}

function decimal(micros: number): number {
  return microsToDecimal(toMicros(micros));
}
