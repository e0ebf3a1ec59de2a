/** Quotes of sets in the book: they fill and leave here, and a set whose allowance is used up is frozen (QTS-3). */

import { type Micros, toMicros } from '@venue/protocol';
import type { OrderHandle } from '../book/book.ts';
import { isUsedUp } from '../state/fillable-walk.ts';
import type { Sid } from '../state/ids.ts';
import { changeRow, ownerOfSet, type QuoteSet, type SetRow } from '../state/quote-sets.ts';
import type { Series, Side } from '../state/series.ts';
import type { State } from '../state/state.ts';
import type { Scope } from './own-orders.ts';
import { changeSeriesResting, seriesOf, sideOf, unsign } from './resting.ts';

/** Fills part of a quote, no more than its set may still trade. The fill that uses the allowance up freezes the set. */
export function fillQuote(state: State, h: OrderHandle, qtyMicros: Micros): void {
  const { quoteSets, orders } = state;
  const { set, row, series, side } = quoteAt(state, h);
  changeQuoted(row, series, side, -qtyMicros);
  if (qtyMicros === orders.remaining(h)) unsign(state, h);
  series.book.reduce(h, qtyMicros);
  set.usedMicros = toMicros(set.usedMicros + qtyMicros);
  set.usedDelta += BigInt(qtyMicros) * BigInt(row.countedMicros);
  set.firstFillTs ??= state.ts;
  quoteSets.dropIfEmpty(set, row);
  quoteSets.noteChange(set);
  quoteSets.filled.add(set);
  quoteSets.stale.add(set);
  freezeIfUsedUp(state, set);
}

/** Pulls all quotes of a set that could not trade a micro more, and freezes it. */
export function freezeIfUsedUp(state: State, set: QuoteSet): void {
  if (!isUsedUp(set, set)) return;
  pullSet(state, set);
  const { frozenMs, windowMs } = set.protection;
  // Before the window's end no push makes the allowance whole.
  const wholeAt = (set.firstFillTs ?? state.ts) + windowMs;
  set.freeze = { until: frozenMs === 0 ? null : Math.max(state.ts + frozenMs, wholeAt) };
}

/** Cancels a quote. */
export function pullQuote(state: State, h: OrderHandle): void {
  const { set, row } = liftQuote(state, h);
  state.quoteSets.dropIfEmpty(set, row);
}

/** The same for one whose row is about to get others. */
export function liftQuote(state: State, h: OrderHandle): { set: QuoteSet; row: SetRow } {
  const { set, row, series, side } = quoteAt(state, h);
  changeQuoted(row, series, side, -state.orders.remaining(h));
  unsign(state, h);
  series.book.remove(h);
  state.quoteSets.stale.add(set);
  return { set, row };
}

/** Cancels all quotes of a set, and returns how many. */
export function pullSet(state: State, set: QuoteSet): number {
  const pulled = pullQuotesWhere(state, set, () => true);
  // A preview's copy of a set has rows of series that are not copied.
  set.rows.clear();
  set.countedMicros = null;
  return pulled;
}

/** Cancels the quotes of a set for which a test of series and quote holds, and returns how many. It looks at every quote. */
export function pullQuotesWhere(
  state: State,
  set: QuoteSet,
  includes: (series: Series, h: OrderHandle) => boolean,
): number {
  let pulled = 0;
  let next: OrderHandle | null;
  for (let h = state.orders.firstOf(ownerOfSet(set)); h !== null; h = next) {
    next = state.orders.nextOf(h);
    if (!includes(seriesOf(state, h), h)) continue;
    pullQuote(state, h);
    pulled += 1;
  }
  return pulled;
}

/** The same for a scope of series and side: rows out of it cost no look at their quotes. */
export function pullQuotesIn(state: State, set: QuoteSet, { includes, side }: Scope): number {
  const rows = [...set.rows.values()].filter(({ sid }) => includes(state.series[sid]!));
  const ids = rows.flatMap(({ bids, asks }) => [
    ...(side === 'sell' ? [] : bids),
    ...(side === 'buy' ? [] : asks),
  ]);
  const quotes = ids.flatMap((id) => state.orders.find(id) ?? []);
  for (const h of quotes) pullQuote(state, h);
  return quotes.length;
}

/** Changes the resting totals of a set and of a series. */
export function changeQuoted(row: SetRow, series: Series, side: Side, changeMicros: number): void {
  changeRow(row, side, changeMicros);
  changeSeriesResting(series, side, changeMicros);
}

function quoteAt(state: State, h: OrderHandle) {
  const { orders, quoteSets } = state;
  const set = quoteSets.ofOwner(orders.owner(h));
  const row = set.rows.get(orders.book(h) as Sid);
  if (row === undefined) throw new Error(`quote ${orders.id(h)} is in no row of its set`);
  return { set, row, series: seriesOf(state, h), side: sideOf(state, h) };
}
