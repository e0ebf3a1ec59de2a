/** Quote sets as part of the lines of a snapshot. Their slots are not: they may be others after a restart. */

import { BUY, type OrderHandle, type OrderStore } from './book/book.ts';
import type { Account } from './state/account.ts';
import type { AccountIndex, Sid } from './state/ids.ts';
import {
  annotateRow,
  changeRow,
  isSetOwner,
  ownerOfSet,
  type QuoteSet,
  type SetRow,
  shownOf,
} from './state/quote-sets.ts';
import type { State } from './state/state.ts';

const SETS_STRIDE = 16;

/** The owner of an order in its row: the index of an account, or below zero a set, by account and number. */
export function ownerCell({ orders, quoteSets }: State, h: OrderHandle): number {
  const owner = orders.owner(h);
  if (!isSetOwner(owner)) return owner;
  const { account, number } = quoteSets.ofOwner(owner);
  return -(account * SETS_STRIDE + number);
}

/** The number that owns an order in the book, from the owner in its row. */
export function ownerOfCell(state: State, cell: number): number {
  if (cell >= 0) return cell;
  const account = Math.floor((-cell - 1) / SETS_STRIDE) as AccountIndex;
  const set = state.quoteSets.find(account, -cell - account * SETS_STRIDE);
  if (set === null) throw new Error(`a snapshot has a quote of a set that it does not have: ${cell}`);
  return ownerOfSet(set);
}

/** [sid, iv, delta, ids of bids, ids of asks] */
type RowCells = readonly [Sid, number | null, number | null, readonly number[], readonly number[]];

/** A set of an account. */
export function setRow({ orders }: State, set: QuoteSet) {
  const { number, symbol, protection, usedMicros, usedDelta, firstFillTs, freeze } = set;
  const { lastPushTs, reserveMicros, rows } = set;
  return {
    ...{ number, symbol, protection, usedMicros, usedDelta: String(usedDelta), firstFillTs, freeze },
    ...{ lastPushTs, reserveMicros },
    rows: [...rows.values()].map((row) => rowCells(orders, row)).sort(([a], [b]) => a - b),
  };
}

/** Leaves out ids that no longer rest. */
function rowCells(orders: OrderStore, { sid, iv, delta, bids, asks }: SetRow): RowCells {
  const rests = (id: number) => orders.find(id) !== null;
  return [sid, iv, delta, bids.filter(rests), asks.filter(rests)];
}

export function restoreSet(state: State, account: Account, row: ReturnType<typeof setRow>): void {
  const { number, symbol, protection, usedDelta, rows, ...own } = row;
  const set = state.quoteSets.open(account.index, number, { symbol, protection, ts: own.lastPushTs });
  Object.assign(set, own, { usedDelta: BigInt(usedDelta) });
  for (const [sid, iv, delta, bids, asks] of rows) {
    const restored = state.quoteSets.rowOf(set, sid);
    annotateRow(set, restored, { iv, delta });
    restored.bids.push(...bids);
    restored.asks.push(...asks);
  }
  set.shown = shownOf(set);
}

/** Counts a restored quote in the totals of its row. */
export function countQuote({ orders, quoteSets }: State, h: OrderHandle): void {
  const row = quoteSets.rowOf(quoteSets.ofOwner(orders.owner(h)), orders.book(h) as Sid);
  changeRow(row, orders.side(h) === BUY ? 'buy' : 'sell', orders.remaining(h));
}
