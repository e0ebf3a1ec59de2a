/** `venue fills`: the account's trades. */

import type { FillRecord } from '@venue/protocol';
import type { VenueClient } from '@venue/sdk';
import { usageError } from '../../base/command-error.ts';
import { countOf } from '../../connection/arguments.ts';
import { type CommonOptions, signedIn } from '../../connection/connection.ts';
import { csv } from '../../terminal/csv.ts';
import { decimalText, type Places, ROUGH_USD } from '../../terminal/numbers.ts';
import { say, show, write } from '../../terminal/output.ts';
import { progressCount } from '../../terminal/progress-count.ts';
import { gainStyle, sideStyle } from '../../terminal/style.ts';
import { type Column, type Page, table } from '../../terminal/table.ts';
import { utcSecond } from '../../terminal/times.ts';

/** Most fills in one answer of the venue. */
const ANSWER_MAX = 500;
const FILLS_SHOWN = 50;

export interface HistoryOptions extends CommonOptions {
  readonly limit?: string;
  readonly before?: string;
  readonly csv?: true;
}

interface Wanted {
  /** Id of the fill before which to start; without it, the newest. */
  readonly before?: number;
  /** Most fills to list; without it, all. */
  readonly limit?: number;
}

/** Lists fills, newest first. As CSV it is all of them, unless a limit is given. */
export async function runFillsCommand(options: HistoryOptions): Promise<void> {
  oneFormat(options);
  const wanted = wantedBy(options);
  const { limit = Infinity } = wanted;
  const client = await signedIn(options);
  // One more than is shown tells whether there are older ones.
  const rows = fillsOf(client, { ...wanted, limit: limit + 1 });
  const found = await Array.fromAsync(progressCount('fills', 'rows', rows));
  const fills = found.slice(0, limit);
  const last = found.length > fills.length ? fills.at(-1) : undefined;
  const older = last && olderText(fills.length, last, options);
  if (options.csv) write(fillsCsv(fills));
  else show(options, fills, (page) => [...fillsText(fills, page), ...(older === undefined ? [] : [older])]);
  // Output for programs stays clean.
  if (older !== undefined && (options.csv || options.json)) say(`venue: ${older}`);
}

function oneFormat({ json, csv: asCsv }: HistoryOptions): void {
  if (json && asCsv) throw usageError('--json and --csv exclude each other');
}

function wantedBy({ limit, before, csv: asCsv }: HistoryOptions): Wanted {
  return {
    ...(!asCsv && { limit: FILLS_SHOWN }),
    ...(limit !== undefined && { limit: countOf('--limit', limit, Number.MAX_SAFE_INTEGER) }),
    ...(before !== undefined && { before: countOf('--before', before, Number.MAX_SAFE_INTEGER) }),
  };
}

/** Up to the wanted number of fills, newest first, over several answers. */
async function* fillsOf({ account }: VenueClient, wanted: Required<Pick<Wanted, 'limit'>> & Wanted) {
  let { before, limit: left } = wanted;
  while (left > 0) {
    const limit = Math.min(left, ANSWER_MAX);
    const fills = await account.fills({ limit, ...(before !== undefined && { before }) });
    yield* fills;
    if (fills.length < limit) return;
    before = fills.at(-1)!.id;
    left -= limit;
  }
}

function olderText(count: number, { id }: FillRecord, { limit, profile, url }: HistoryOptions): string {
  const given = Object.entries({ limit, profile, url }).filter(([, value]) => value !== undefined);
  const again = given.map(([name, value]) => ` --${name} ${value}`).join('');
  return `${count} shown, older ones: venue fills --before ${id}${again}`;
}

function fillsText(fills: readonly FillRecord[], page: Page): string[] {
  return fills.length === 0 ? ['no fills'] : table(FILL_COLUMNS, fills, page);
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
