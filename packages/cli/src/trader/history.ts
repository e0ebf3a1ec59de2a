/** `venue fills`: what the account traded. */

import type { FillRecord } from '@venue/protocol';
import { usageError } from '../command-error.ts';
import { csv } from '../terminal/csv.ts';
import { decimalText, type Places, ROUGH_USD } from '../terminal/numbers.ts';
import { show, write } from '../terminal/output.ts';
import { gainStyle, sideStyle } from '../terminal/style.ts';
import { type Column, type Page, table } from '../terminal/table.ts';
import { utcSecond } from '../terminal/times.ts';
import { countOf } from './arguments.ts';
import { type CommonOptions, signedIn } from './connection.ts';

const FILLS_MAX = 500;
const FILLS_SHOWN = 50;

export interface HistoryOptions extends CommonOptions {
  readonly limit?: string;
  readonly before?: string;
  readonly csv?: true;
}

/** Lists fills, newest first. */
export async function runFillsCommand(options: HistoryOptions): Promise<void> {
  oneFormat(options);
  const limit = options.limit === undefined ? FILLS_SHOWN : countOf('--limit', options.limit, FILLS_MAX);
  const before =
    options.before === undefined ? undefined : countOf('--before', options.before, Number.MAX_SAFE_INTEGER);
  const client = await signedIn(options);
  const fills = await client.account.fills({ limit, ...(before !== undefined && { before }) });
  if (options.csv) write(fillsCsv(fills));
  else show(options, fills, (page) => fillsText(fills, { page, limit }));
}

function oneFormat({ json, csv: asCsv }: HistoryOptions): void {
  if (json && asCsv) throw usageError('--json and --csv exclude each other');
}

function fillsText(fills: readonly FillRecord[], { page, limit }: { page: Page; limit: number }): string[] {
  const last = fills.at(-1);
  if (last === undefined) return ['no fills'];
  const more = fills.length === limit ? [`older ones: venue fills --before ${last.id}`] : [];
  return [...table(FILL_COLUMNS, fills, page), ...more];
}

const FILL_COLUMNS: readonly Column<FillRecord>[] = [
  { title: 'id', cell: ({ id }) => id, places: [0, 0], rank: 3 },
  { title: 'time (UTC)', cell: ({ ts }) => utcSecond(ts), rank: 2 },
  { title: 'kind', cell: ({ kind }) => kind, rank: 4 },
  { title: 'side', cell: ({ side }) => side, rank: 0, style: ({ side }) => sideStyle(side) },
  { title: 'qty', cell: ({ qty }) => qty, places: [0, 6], rank: 0 },
  { title: 'series', cell: ({ seriesId }) => seriesId, rank: 0 },
  { title: 'price USD', cell: ({ price }) => price, rank: 0 },
  { title: 'fee USD', cell: ({ fee }) => fee, rank: 1 },
  {
    title: 'realized USD',
    cell: ({ realized }) => realized,
    places: ROUGH_USD,
    rank: 1,
    style: ({ realized }) => gainStyle(realized),
  },
  { title: 'order', cell: ({ orderId }) => orderId, places: [0, 0], rank: 5 },
];

const EXACT: Places = [0, 6];

/** Fills as CSV: amounts in plain decimals, times as ISO 8601 in UTC and in unix ms. */
export function fillsCsv(fills: readonly FillRecord[]): string {
  const header = [
    'id',
    'time',
    'ts',
    'kind',
    'seriesId',
    'symbol',
    'side',
    'qty',
    'price',
    'fee',
    'realized',
  ];
  return csv(
    [...header, 'taker', 'orderId', 'signer'],
    fills.map((fill) => [
      String(fill.id),
      new Date(fill.ts).toISOString(),
      String(fill.ts),
      fill.kind,
      fill.seriesId,
      fill.symbol,
      fill.side,
      ...[fill.qty, fill.price, fill.fee, fill.realized].map((amount) => decimalText(amount, EXACT)),
      String(fill.taker),
      String(fill.orderId),
      fill.signer ?? '',
    ]),
  );
}
