/** `venue statement`: every change of the account's cash, with a balance that adds up. */

import type { Statement, StatementRow } from '@venue/protocol';
import type { StatementSpan, VenueClient } from '@venue/sdk';
import { usageError } from '../command-error.ts';
import { csv } from '../terminal/csv.ts';
import { decimalText, type Places, usd } from '../terminal/numbers.ts';
import { show, write } from '../terminal/output.ts';
import { progressCount } from '../terminal/progress-count.ts';
import { gainStyle } from '../terminal/style.ts';
import { type Column, type Page, pairs, table } from '../terminal/table.ts';
import { utcSecond } from '../terminal/times.ts';
import { instantOf } from './arguments.ts';
import { type CommonOptions, signedIn } from './connection.ts';

export interface StatementOptions extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
  readonly csv?: true;
}

/** Shows a statement, whole however many answers it takes. */
export async function runStatementCommand(options: StatementOptions): Promise<void> {
  if (options.json && options.csv) throw usageError('--json and --csv exclude each other');
  const span = spanOf(options);
  const statement = await wholeStatement(await signedIn(options), span);
  if (options.csv) write(statementCsv(statement.rows));
  else show(options, statement, (page) => statementText(statement, page));
}

function spanOf({ from, to }: StatementOptions): StatementSpan {
  const span = {
    ...(from !== undefined && { from: instantOf('--from', from) }),
    ...(to !== undefined && { to: instantOf('--to', to) }),
  };
  if (span.from !== undefined && span.to !== undefined && span.from > span.to)
    throw usageError('--from is after --to');
  return span;
}

/** All pages as one, which adds up as each of them does. */
async function wholeStatement({ account }: VenueClient, span: StatementSpan): Promise<Statement> {
  const { next, ...first } = await account.statement(span);
  if (next === undefined) return first;
  // To the end that the first answer named: what happens meanwhile is not in it.
  const all = account.statementRows({ from: first.from, to: first.to });
  const rows = await Array.fromAsync(progressCount('statement', 'rows', all));
  return { ...first, rows, closingBalance: rows.at(-1)?.balance ?? first.closingBalance };
}

function statementText(statement: Statement, page: Page): string[] {
  const { from, to, completeFrom, openingBalance, rows, closingBalance } = statement;
  const isCut = completeFrom > from;
  return [
    ...pairs(
      [
        ['from', from === 0 ? 'the beginning' : `${utcSecond(from)} UTC`],
        ['to', `${utcSecond(to)} UTC`],
        ['opening balance', usd(openingBalance)],
      ],
      page,
    ),
    ...(isCut ? [`The venue has no rows from before ${utcSecond(completeFrom)} UTC.`] : []),
    '',
    ...(rows.length === 0 ? ['no movements'] : table(COLUMNS, rows, page)),
    '',
    ...pairs([['closing balance', usd(closingBalance)]], page),
  ];
}

const COLUMNS: readonly Column<StatementRow>[] = [
  { title: 'time (UTC)', cell: ({ ts }) => utcSecond(ts), rank: 1 },
  { title: 'kind', cell: ({ kind }) => kind, rank: 0 },
  { title: 'what', cell: whatOf, rank: 2 },
  { title: 'fee USD', cell: ({ fee }) => fee ?? null, rank: 3 },
  { title: 'change USD', cell: ({ change }) => change, rank: 0, style: ({ change }) => gainStyle(change) },
  { title: 'balance USD', cell: ({ balance }) => balance, rank: 0 },
];

function whatOf({ side, qty, price, seriesId, withdrawalId }: StatementRow): string {
  if (withdrawalId !== undefined) return `withdrawal ${withdrawalId}`;
  if (side === undefined || qty === undefined || price === undefined || seriesId === undefined) return '';
  return `${side} ${decimalText(qty, PLAIN)} ${seriesId} at ${decimalText(price, [2, 6])}`;
}

const PLAIN: Places = [0, 6];

type Cell = (row: StatementRow) => string | number | undefined;
const amount = (pick: (row: StatementRow) => number | undefined): Cell => {
  return (row) => {
    const value = pick(row);
    return value === undefined ? undefined : decimalText(value, PLAIN);
  };
};

/** The columns that the venue's own CSV has, in its order. */
const CSV_COLUMNS: readonly (readonly [name: string, cell: Cell])[] = [
  ['id', ({ id }) => id],
  ['ts', ({ ts }) => ts],
  ['time', ({ ts }) => new Date(ts).toISOString()],
  ['kind', ({ kind }) => kind],
  ['seriesId', ({ seriesId }) => seriesId],
  ['symbol', ({ symbol }) => symbol],
  ['side', ({ side }) => side],
  ['qty', amount(({ qty }) => qty)],
  ['price', amount(({ price }) => price)],
  ['premium', amount(({ premium }) => premium)],
  ['fee', amount(({ fee }) => fee)],
  ['change', amount(({ change }) => change)],
  ['balance', amount(({ balance }) => balance)],
  ['realized', amount(({ realized }) => realized)],
  ['fillId', ({ fillId }) => fillId],
  ['orderId', ({ orderId }) => orderId],
  ['withdrawalId', ({ withdrawalId }) => withdrawalId],
  ['txHash', ({ txHash }) => txHash],
];

/** Rows as CSV: amounts in plain decimals, times as ISO 8601 in UTC and in unix ms. */
export function statementCsv(rows: readonly StatementRow[]): string {
  return csv(
    CSV_COLUMNS.map(([name]) => name),
    rows.map((row) => CSV_COLUMNS.map(([, cell]) => String(cell(row) ?? ''))),
  );
}
