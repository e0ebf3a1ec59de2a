/** The orders of traders that rest in a state, as the history begins or continues with them. */

import type { Account, OrderHandle, State } from '@venue/engine';
import { BUY } from '@venue/engine';
import { type Rows, type SeriesName, SeriesNames } from './cells.ts';
import { OrderBuffer } from './order-rows.ts';

/** All orders with an id up to `lastId` that are not among the rows are closed or not a trader's. */
export interface Standing {
  readonly lastId: number;
  readonly rows: Rows;
  readonly series: readonly SeriesName[];
}

/** Collects the orders that rest. What their fills were worth is only looked up if it is wanted. */
export function standingOf(state: State, { withValues }: { withValues: boolean }): Standing {
  const names = new SeriesNames();
  const buffer = new OrderBuffer(names);
  for (const account of state.accounts) {
    if (account.role !== 'trader') continue;
    for (let h = state.orders.firstOf(account.index); h !== null; h = state.orders.nextOf(h))
      addOrder(buffer, state, { account, h, withValues });
  }
  buffer.seal();
  return { lastId: state.lastOrderId, rows: buffer.take(), series: names.take() };
}

interface Resting {
  readonly account: Account;
  readonly h: OrderHandle;
  readonly withValues: boolean;
}

function addOrder(buffer: OrderBuffer, { seq, orders, series, terms }: State, resting: Resting): void {
  const { account, h, withValues } = resting;
  const id = orders.id(h);
  const filledMicros = orders.quantity(h) - orders.remaining(h);
  buffer.addStanding(seq, {
    id,
    account,
    series: series[orders.book(h)]!,
    side: orders.side(h) === BUY ? 'buy' : 'sell',
    priceMicros: orders.price(h),
    qtyMicros: orders.quantity(h),
    terms: terms.of(id),
    placedAt: orders.placedAt(h),
    filledMicros,
    value: withValues ? fillsValueOf(account, id, filledMicros) : null,
  });
}

/** Returns the value of an order's fills, if the account still keeps all of them. */
function fillsValueOf({ fills }: Account, id: number, filledMicros: number): bigint | null {
  if (filledMicros === 0) return 0n;
  let left = filledMicros;
  let value = 0n;
  for (let place = fills.size - 1; place >= 0 && left > 0; place--) {
    const { orderId, kind, priceMicros, qtyMicros } = fills.at(place);
    if (orderId !== id || kind !== 'trade') continue;
    left -= qtyMicros;
    value += BigInt(priceMicros) * BigInt(qtyMicros);
  }
  return left === 0 ? value : null;
}
