/** Instruments and series with their books as lines of a snapshot. */

import { type Address, formatSeriesId, type OrderTerms, type Right, TERM_NAMES } from '@venue/protocol';
import { Book, BUY, SELL } from './book/book.ts';
import { cutoffMs } from './expiry/oracle.ts';
import { recentSpots } from './expiry/recent-spots.ts';
import { ivAt } from './risk/annotations.ts';
import { withSigner } from './snapshot-accounts.ts';
import { countQuote, ownerCell, ownerOfCell } from './snapshot-sets.ts';
import type { Sid } from './state/ids.ts';
import type { Instrument, OracleWindow, Series, SeriesStatus } from './state/series.ts';
import type { State } from './state/state.ts';
import { PLAIN_LIMIT } from './state/terms.ts';
import { keepTerms, ownerOf, sign, signerOf } from './trading/resting.ts';

export function instrumentRow({ ts }: State, instrument: Instrument) {
  const { symbol, assetClass, active, spotMicros, rolledFor, sources, windows, decisions, jump } = instrument;
  return {
    ...{ symbol, assetClass, active, spotMicros, rolledFor, jump },
    spots: recentSpots(instrument.spots, ts),
    sources: [...sources.values()],
    windows: [...windows.values()].map(windowRow),
    decisions: [...decisions.values()].map(({ instrument: _, ...decision }) => decision),
  };
}

function windowRow({ expiryTs, sources }: OracleWindow) {
  const rows = [...sources.values()].map((source) => ({ ...source, integral: String(source.integral) }));
  return { expiryTs, sources: rows };
}

export function restoreInstrument(state: State, row: ReturnType<typeof instrumentRow>): void {
  const { sources, windows, decisions, spots, ...own } = row;
  const instrument: Instrument = {
    ...own,
    spots: [...spots],
    sources: new Map(sources.map((source) => [source.source, source])),
    windows: new Map(windows.map((window) => [window.expiryTs, restoreWindow(window)])),
    decisions: new Map(),
    series: [],
  };
  for (const decision of decisions) instrument.decisions.set(decision.expiryTs, { ...decision, instrument });
  state.instruments.set(instrument.symbol, instrument);
}

function restoreWindow({ expiryTs, sources }: ReturnType<typeof windowRow>): OracleWindow {
  const rows = sources.map((source) => ({ ...source, integral: BigInt(source.integral) }));
  return { expiryTs, sources: new Map(rows.map((source) => [source.source, source])) };
}

/** The terms in the order of `TERM_NAMES`; null for one that the order has not. */
type TermsRow = readonly (OrderTerms[keyof OrderTerms] | null)[];

/**
 * [id, book, side, owner, price, quantity, remaining, placed at, signer, terms of an order placed in a batch]; the owner is
 * an account, or below zero a quote set.
 */
export type OrderRow = readonly [
  ...[number, number, number, number, number, number, number, number, Address | null],
  TermsRow?,
];

export function seriesRow(state: State, series: Series) {
  const { instrument, expiryTs, right, strikeMicros, status, payoutMicros, iv, delta } = series;
  const { volumeMicros, openInterestMicros, restingBuyMicros, restingSellMicros, quotes } = series;
  const annotatedIv = ivAt(series, state.ts);
  return {
    symbol: instrument.symbol,
    ...{ expiryTs, right, strikeMicros, status, payoutMicros, iv, delta },
    ...{ volumeMicros, openInterestMicros, restingBuyMicros, restingSellMicros },
    // One that is too old no longer counts.
    ...(annotatedIv !== null && { annotation: [annotatedIv, series.annotatedAt] as const }),
    // Leaves out ids that no longer rest.
    bids: quotes.bids.filter((id) => state.orders.find(id) !== null),
    asks: quotes.asks.filter((id) => state.orders.find(id) !== null),
    orders: [...orderRows(state, series)],
  };
}

function* orderRows(state: State, { book, sid }: Series): Generator<OrderRow> {
  const { orders, sessions } = state;
  for (const side of [BUY, SELL] as const) {
    for (let h = book.best(side); h !== null; h = book.next(h)) {
      const signer = signerOf(state, h);
      const terms = [ownerCell(state, h), orders.price(h), orders.quantity(h), orders.remaining(h)] as const;
      yield [
        orders.id(h),
        sid,
        side,
        ...terms,
        orders.placedAt(h),
        signer === null ? null : sessions.key(signer),
        ...termsRow(state.terms.of(orders.id(h))),
      ];
    }
  }
}

function termsRow(terms: OrderTerms): [TermsRow?] {
  return terms === PLAIN_LIMIT ? [] : [TERM_NAMES.map((name) => terms[name] ?? null)];
}

function restoreTerms(row: TermsRow): OrderTerms {
  const given = TERM_NAMES.map((name, i) => [name, row[i] ?? null] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== null)) as unknown as OrderTerms;
}

export function restoreSeries(state: State, row: ReturnType<typeof seriesRow>): readonly OrderRow[] {
  const { symbol, bids, asks, orders, annotation = [0, 0], ...own } = row;
  const instrument = state.instruments.get(symbol);
  if (instrument === undefined)
    throw new Error(`a snapshot has a series of ${symbol} and no such instrument`);
  const sid = state.series.length as Sid;
  const series: Series = {
    ...own,
    sid,
    seriesId: formatSeriesId({ ...own, symbol, right: own.right as Right }),
    instrument,
    cutoffMs: cutoffMs(own.expiryTs),
    status: own.status as SeriesStatus,
    holders: [],
    book: new Book(state.orders, sid),
    quotes: { bids, asks },
    annotatedIv: annotation[0],
    annotatedAt: annotation[1],
  };
  state.series.push(series);
  state.seriesById.set(series.seriesId, series);
  if (series.status !== 'settled') instrument.series.push(series);
  return orders;
}

/** Owners' lists are in order of ids; an amended order may stand behind later ones at its price. */
export function placeOrders(state: State, rows: readonly OrderRow[]): void {
  for (const row of rows.toSorted(([a], [b]) => a - b)) placeOrder(state, row);
  let isOutOfOrder = false;
  rows.forEach((row, i) => {
    const before = rows[i - 1];
    const isSameLevel = before !== undefined && [1, 2, 4].every((cell) => row[cell] === before[cell]);
    isOutOfOrder = isSameLevel && (isOutOfOrder || row[0] < before[0]);
    if (isOutOfOrder) moveToEnd(state, row);
  });
}

/** From the first order behind a later one on, a queue is what the rows say once each of them has gone to its end. */
function moveToEnd(state: State, [id, book, , , price, quantity, remaining]: OrderRow): void {
  const series = state.series[book]!.book;
  series.requeue(series.lift(state.orders.find(id)!), { price, quantity, remaining });
}

function placeOrder(state: State, row: OrderRow): void {
  const [id, book, side, owner, price, quantity, remaining, placedAt, signer, terms] = row;
  const order = { id, owner: ownerOfCell(state, owner), price, quantity, remaining, placedAt };
  const h = state.series[book]!.book.place({ ...order, side: side === BUY ? BUY : SELL });
  if (owner < 0) countQuote(state, h);
  const account = ownerOf(state, h);
  if (signer !== null) withSigner(state, account, signer, (session) => sign(state, h, session));
  if (terms === undefined) return;
  const restored = restoreTerms(terms);
  keepTerms(state, account, id, restored);
  if (restored.clientId !== undefined) state.clientIds.open(account.index, restored.clientId, id);
}
