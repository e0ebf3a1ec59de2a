/** Statements as clients see them: an account's cash movements, in JSON or CSV. */

import { formatDecimal, microsToDecimal, type Statement, type StatementRow, toMicros } from '@venue/protocol';
import type { Movement, StatementPage } from '../history/reads.ts';

/** The span of a statement in unix ms, with an exclusive end. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A page of a statement. Each page adds up by itself, and the next one opens with this one's closing balance. */
export function statementView(page: StatementPage, { fromMs, toMs }: Span): Statement {
  const last = page.rows.at(-1);
  return {
    from: fromMs,
    to: toMs,
    completeFrom: page.completeFromMs,
    openingBalance: decimal(page.openingBalance),
    rows: page.rows.map(rowView),
    closingBalance: decimal(last?.balance ?? page.openingBalance),
    ...(page.hasMore && { next: idOf(last!) }),
  };
}

function rowView(row: Movement): StatementRow {
  const { ts, kind, balance } = row;
  return {
    ...{ id: idOf(row), ts, kind, change: decimal(changeOf(row)), balance: decimal(balance) },
    ...(hasPremium(row) && { premium: decimal(row.cash), fee: decimal(row.fee) }),
    ...(row.fillId !== null && {
      seriesId: row.seriesId!,
      symbol: row.symbol!,
      side: row.side!,
      qty: decimal(row.qty!),
      price: decimal(row.price!),
      realized: decimal(row.realized!),
      fillId: row.fillId,
      orderId: row.reference!,
    }),
    ...(isOfPayout(row) && { withdrawalId: row.reference! }),
    ...(kind === 'deposit' && { txHash: row.text! }),
  };
}

function idOf({ seq, n }: Movement): string {
  return `${seq}-${n}`;
}

function changeOf({ cash, fee }: Movement): number {
  return cash - fee;
}

function isOfPayout({ kind }: Movement): boolean {
  return kind === 'withdrawal' || kind === 'void';
}

function hasPremium({ kind }: Movement): boolean {
  return kind === 'trade' || kind === 'liquidation';
}

function decimal(micros: number): number {
  return microsToDecimal(toMicros(micros));
}

/** Null leaves the cell empty. */
type Column = readonly [name: string, cell: (row: Movement) => string | number | null];

const COLUMNS: readonly Column[] = [
  ['id', idOf],
  ['ts', ({ ts }) => ts],
  ['time', ({ ts }) => new Date(ts).toISOString()],
  ['kind', ({ kind }) => kind],
  ['seriesId', ({ seriesId }) => seriesId],
  ['symbol', ({ symbol }) => symbol],
  ['side', ({ side }) => side],
  ['qty', ({ qty }) => plain(qty)],
  ['price', ({ price }) => plain(price)],
  ['premium', (row) => (hasPremium(row) ? plain(row.cash) : null)],
  ['fee', (row) => (hasPremium(row) ? plain(row.fee) : null)],
  ['change', (row) => plain(changeOf(row))],
  ['balance', ({ balance }) => plain(balance)],
  ['realized', ({ realized }) => plain(realized)],
  ['fillId', ({ fillId }) => fillId],
  ['orderId', ({ fillId, reference }) => (fillId === null ? null : reference)],
  ['withdrawalId', (row) => (isOfPayout(row) ? row.reference : null)],
  ['txHash', ({ kind, text }) => (kind === 'deposit' ? text : null)],
];

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** The rows of a page as CSV (RFC 4180) with a header line. Amounts are plain decimals, exact to the micro. */
export function statementCsv({ rows }: StatementPage): string {
  const lines = [
    COLUMNS.map(([name]) => name),
    ...rows.map((row) => COLUMNS.map(([, cell]) => quoted(String(cell(row) ?? '')))),
  ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function plain(micros: number | null): string | null {
  return micros === null ? null : formatDecimal(toMicros(micros));
}
