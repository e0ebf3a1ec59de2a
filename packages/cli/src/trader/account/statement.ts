/** `venue statement`: every change of the account's cash, with a balance that adds up. */

import type { Statement, StatementRow } from '@venue/protocol';
import type { StatementSpan, VenueClient } from '@venue/sdk';
import { usageError } from '../../base/command-error.ts';
import { timesOf } from '../../connection/arguments.ts';
import { type CommonOptions, signedIn } from '../../connection/connection.ts';
import { contracts, decimalText, EXACT_USD, usd } from '../../terminal/numbers.ts';
import { show, write } from '../../terminal/output.ts';
import { progressCount } from '../../terminal/progress-count.ts';
import { gainStyle } from '../../terminal/style.ts';
import { type Column, type Page, pairs, table } from '../../terminal/table.ts';
import { utcSecond } from '../../terminal/times.ts';

export interface StatementOptions extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
  readonly csv?: true;
}

/** Shows a statement, complete however many answers it takes. */
export async function runStatementCommand(options: StatementOptions): Promise<void> {
  if (options.json && options.csv) throw usageError('--json and --csv exclude each other');
  const span = timesOf(options);
  const client = await signedIn(options);
  if (options.csv) return write(await wholeCsv(client, span));
  const statement = await wholeStatement(client, span);
  show(options, statement, (page) => statementText(statement, page));
}

/** All pages as one, which adds up as each of them does. */
async function wholeStatement({ account }: VenueClient, span: StatementSpan): Promise<Statement> {
  const { next, ...first } = await account.statement(span);
  if (next === undefined) return first;
  // Up to the end that the first answer named, so that later events are excluded.
  const all = account.statementRows({ from: first.from, to: first.to });
  const rows = await Array.fromAsync(progressCount('statement', 'rows', all));
  return { ...first, rows, closingBalance: rows.at(-1)?.balance ?? first.closingBalance };
}

/** The venue's own CSV, whose amounts stay exact where those of JSON cannot. */
async function wholeCsv({ account }: VenueClient, span: StatementSpan): Promise<string> {
  const parts = progressCount('statement', 'thousand rows', account.statementCsvPages(span));
  return (await Array.fromAsync(parts)).join('');
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
  return `${side} ${contracts(qty)} ${seriesId} at ${decimalText(price, EXACT_USD)}`;
}
