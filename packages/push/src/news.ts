/** News of an account since it was last told, joined so that a thousand fills are one message (PUSH-6). */

import type { NewsKind } from '@venue/protocol';
import { parseSeriesId } from '@venue/protocol';

/** The fills of an order, or of one leg of a combo. */
export interface FilledOrder {
  readonly orderId: number;
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  /** Filled since the last message. */
  readonly qtyMicros: number;
  /** Sum of price x quantity, for the average price that is shown. */
  readonly worth: number;
  /** Quantity of the whole order; null for a quote and a combo's leg, which have none of their own. */
  readonly totalMicros: number | null;
  /** Unfilled; 0 for an order that is done. */
  readonly leftMicros: number;
}

export interface Settled {
  readonly symbol: string;
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly priceMicros: number;
  readonly realizedMicros: number;
}

interface Rows<T> {
  readonly rows: readonly T[];
  /** How many more there are than the rows kept. */
  readonly more: number;
}

/** News of one kind, with the log's time of the first and of the newest. */
export type News = { readonly since: number; readonly at: number } & (
  | ({ readonly kind: 'fills' | 'liquidation' } & Rows<FilledOrder>)
  | ({ readonly kind: 'settlement' } & Rows<Settled>)
  | { readonly kind: 'margin'; readonly shortfallMicros: number }
  | { readonly kind: 'guard'; readonly orders: number }
);

const ROWS_MAX = 20;

/** Joins older and newer news of one kind. The row of an order takes up its later fills. */
export function joined(older: News | undefined, newer: News): News {
  return older === undefined ? newer : { ...bothOf(older, newer), since: older.since };
}

function bothOf(older: News, newer: News): News {
  if (isFills(older) && isFills(newer)) return { ...newer, ...joinedRows(older, newer, sameOrder, later) };
  if (older.kind === 'settlement' && newer.kind === 'settlement')
    return { ...newer, ...joinedRows(older, newer, sameExpiry, together) };
  if (older.kind === 'guard' && newer.kind === 'guard')
    return { ...newer, orders: older.orders + newer.orders };
  return newer;
}

type Fills = Extract<News, { kind: 'fills' | 'liquidation' }>;

function isFills(news: News): news is Fills {
  return news.kind === 'fills' || news.kind === 'liquidation';
}

function joinedRows<T>(
  older: Rows<T>,
  newer: Rows<T>,
  isSame: (one: T, other: T) => boolean,
  merge: (older: T, newer: T) => T,
): Rows<T> {
  const rows = [...older.rows];
  let more = older.more + newer.more;
  for (const row of newer.rows) {
    const at = rows.findIndex((known) => isSame(known, row));
    if (at >= 0) rows[at] = merge(rows[at]!, row);
    else if (rows.length < ROWS_MAX) rows.push(row);
    else more += 1;
  }
  return { rows, more };
}

function sameOrder(one: FilledOrder, other: FilledOrder): boolean {
  return one.orderId === other.orderId && one.seriesId === other.seriesId;
}

function later(older: FilledOrder, newer: FilledOrder): FilledOrder {
  return { ...newer, qtyMicros: older.qtyMicros + newer.qtyMicros, worth: older.worth + newer.worth };
}

function sameExpiry(one: Settled, other: Settled): boolean {
  return one.symbol === other.symbol && one.expiryTs === other.expiryTs;
}

function together(older: Settled, newer: Settled): Settled {
  return { ...newer, realizedMicros: older.realizedMicros + newer.realizedMicros };
}

/** The text that a person reads, and the view that pressing it opens. */
export interface Words {
  readonly title: string;
  readonly body: string;
  readonly place: string;
}

/** The lines of one message that name an order or an expiry each; the others are counted. */
const LINES_MAX = 3;

/** @example wordsOf(news).body // '2 of 5 BTC 28 Nov 95,000 C filled at 1,240.00' */
export function wordsOf(news: News): Words {
  switch (news.kind) {
    case 'fills':
      return { title: fillsTitle(news), body: fillsBody(news, 'filled'), place: placeOf(news) };
    case 'liquidation':
      return { title: 'Liquidation', body: fillsBody(news, 'closed'), place: placeOf(news) };
    case 'settlement':
      return { title: 'Settled', ...settlementWords(news) };
    case 'margin': {
      const short = usd(news.shortfallMicros);
      const body = `Equity is ${short} USD below maintenance margin. Positions are closed if it stays so.`;
      return { title: 'Margin call', body, place: '' };
    }
    case 'guard': {
      const count = news.orders === 1 ? '1 order was' : `${news.orders} orders were`;
      return { title: 'Guard ran out', body: `${count} cancelled.`, place: '' };
    }
  }
}

function fillsTitle({ rows, more }: Rows<FilledOrder>): string {
  const orders = new Set(rows.map(({ orderId }) => orderId)).size + more;
  if (orders > 1) return `${orders} orders filled`;
  const { side, leftMicros } = rows[0]!;
  const isCombo = rows.length > 1;
  if (isCombo) return 'Combo filled';
  return `${side === 'buy' ? 'Buy' : 'Sell'} order filled${leftMicros > 0 ? ' in part' : ''}`;
}

function fillsBody({ rows, more }: Rows<FilledOrder>, verb: string): string {
  const lines = rows.slice(0, LINES_MAX).map((row) => fillLine(row, verb));
  return withMore(lines, rows.length - lines.length + more);
}

function fillLine(row: FilledOrder, verb: string): string {
  const { seriesId, qtyMicros, worth, totalMicros, leftMicros } = row;
  const qty = decimal(qtyMicros);
  const isPart = totalMicros !== null && qtyMicros < totalMicros;
  const of = isPart ? `${leftMicros > 0 ? '' : 'last '}${qty} of ${decimal(totalMicros)}` : qty;
  return `${of} ${contractName(seriesId)} ${verb} at ${price(worth / qtyMicros)}`;
}

function settlementWords({ rows, more }: Rows<Settled>): Omit<Words, 'title'> {
  const lines = rows.slice(0, LINES_MAX).map(({ symbol, expiryTs, priceMicros, realizedMicros }) => {
    const result = `${realizedMicros < 0 ? '−' : '+'}${usd(Math.abs(realizedMicros))} USD`;
    return `${symbol} ${dateOf(expiryTs)} at ${price(priceMicros)}: ${result}`;
  });
  const symbols = new Set(rows.map(({ symbol }) => symbol));
  return {
    body: withMore(lines, rows.length - lines.length + more),
    // The expiry is no longer listed.
    place: symbols.size === 1 ? rows[0]!.symbol : '',
  };
}

function withMore(lines: readonly string[], more: number): string {
  return more === 0 ? lines.join('\n') : `${lines.join('\n')}\nand ${more} more`;
}

/** The contract if there is only one, else the underlying if all share it. */
function placeOf({ rows, more }: Rows<FilledOrder>): string {
  const series = [...new Set(rows.map(({ seriesId }) => seriesId))];
  if (series.length === 1 && more === 0) return series[0]!;
  const symbols = new Set(series.map((seriesId) => seriesId.split('-')[0]!));
  return symbols.size === 1 ? [...symbols][0]! : '';
}

/** `BTC 28 Nov 95,000 C` */
function contractName(seriesId: string): string {
  const terms = parseSeriesId(seriesId);
  if (terms === undefined) return seriesId;
  return `${terms.symbol} ${dateOf(terms.expiryTs)} ${decimal(terms.strikeMicros)} ${terms.right}`;
}

// Contracts are named by New York's date, in which they end.
const DATE = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  day: 'numeric',
  month: 'short',
});

function dateOf(expiryTs: number): string {
  return DATE.format(expiryTs * 1_000);
}

function decimal(micros: number): string {
  return (micros / 1e6).toLocaleString('en-US', { maximumFractionDigits: 6 });
}

function usd(micros: number): string {
  return (micros / 1e6).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** At most four decimals, because averages have many. */
function price(micros: number): string {
  return (micros / 1e6).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
}

/** How soon a push service should wake the device (RFC 8030). */
export function urgencyOf(kind: NewsKind): 'high' | 'normal' {
  return kind === 'settlement' || kind === 'guard' ? 'normal' : 'high';
}
