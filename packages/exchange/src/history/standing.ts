/** The orders of traders that rest in a state, as the history begins or continues with them. */

import { type Account, BUY, type OpenedOrder, type OrderHandle, type State } from '@venue/engine';
import { RowBuffer, type Rows } from './layout.ts';
import { orderRow } from './order-rows.ts';
import { LAYOUTS, type NewRow } from './rows.ts';
import { type SeriesName, SeriesNames } from './series-names.ts';

/** All orders with an id up to `lastId` that are not among the rows are closed or not a trader's. */
export interface Standing {
  readonly lastId: number;
  readonly rows: Rows;
  readonly series: readonly SeriesName[];
}

/** Collects the orders that rest. What their fills were worth is only looked up if it is wanted. */
export function standingOf(state: State, { withValues }: { withValues: boolean }): Standing {
  const names = new SeriesNames();
  const rows = new RowBuffer(LAYOUTS.orders);
  const { orders, series } = state;
  for (const account of state.accounts) {
    if (account.role !== 'trader') continue;
    for (let h = orders.firstOf(account.index); h !== null; h = orders.nextOf(h)) {
      names.add(series[orders.book(h)]!);
      rows.add(standingRow(state, { account, h, withValues }));
    }
  }
  rows.seal();
  return { lastId: state.lastOrderId, rows: rows.take(), series: names.take() };
}

interface Resting {
  readonly account: Account;
  readonly h: OrderHandle;
  readonly withValues: boolean;
}

function standingRow({ seq, orders, series, terms }: State, resting: Resting): NewRow<'orders'> {
  const { account, h, withValues } = resting;
  const id = orders.id(h);
  const filled = orders.quantity(h) - orders.remaining(h);
  const order: OpenedOrder = {
    id,
    account,
    series: series[orders.book(h)]!,
    side: orders.side(h) === BUY ? 'buy' : 'sell',
    priceMicros: orders.price(h),
    qtyMicros: orders.quantity(h),
    terms: terms.of(id),
  };
  const value = withValues ? fillsValueOf(account, id, filled) : null;
  return {
    ...orderRow(seq, orders.placedAt(h), order),
    filled,
    value: value === null ? null : String(value),
  };
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
