/** `venue series|chain|book`: public market data. */

import {
  type Book,
  type Chain,
  type ChainLeg,
  type Level,
  newYorkDay,
  parseSeriesId,
  type Series,
} from '@venue/protocol';
import type { VenueClient } from '@venue/sdk';
import { CommandError } from '../../base/command-error.ts';
import { countOf, expiryWord, seriesOf } from '../../connection/arguments.ts';
import { type CommonOptions, readingClient, saySimulated } from '../../connection/connection.ts';
import { decimalText, EXACT_USD } from '../../terminal/numbers.ts';
import { show } from '../../terminal/output.ts';
import { type Column, type Page, table } from '../../terminal/table.ts';
import { expiryDay, expiryText, timeLeft } from '../../terminal/times.ts';
import { instrumentsText } from './instruments-text.ts';

export interface ExpiryOptions extends CommonOptions {
  readonly expiry?: string;
}

/** Lists the underlyings, the expiries of one, or every contract of an expiry. */
export async function runSeriesCommand(symbol: string | undefined, options: ExpiryOptions): Promise<void> {
  const client = readingClient(options);
  if (symbol === undefined) return showInstruments(client, options);
  const series = await client.market.series(symbol);
  if (options.expiry === undefined) {
    show(options, series, (page) => expiriesText(series, page));
    return;
  }
  const expiryTs = expiryOf(series, { symbol, expiry: options.expiry });
  const chosen = series.filter((row) => row.expiryTs === expiryTs);
  show(options, chosen, (page) => [expiryText(expiryTs, Date.now()), ...table(SERIES_COLUMNS, chosen, page)]);
}

async function showInstruments(client: VenueClient, options: ExpiryOptions): Promise<void> {
  const { instruments } = await client.market.meta();
  show(options, instruments, (page) => instrumentsText(instruments, page));
  await saySimulated(client, options);
}

const SERIES_COLUMNS: readonly Column<Series>[] = [
  { title: 'series', cell: ({ seriesId }) => seriesId, rank: 0 },
  { title: 'right', cell: ({ right }) => (right === 'C' ? 'call' : 'put'), rank: 2 },
  { title: 'strike USD', cell: ({ strike }) => strike, places: [0, 6], rank: 1 },
];

interface Expiry {
  readonly expiryTs: number;
  readonly strikes: readonly number[];
}

function expiriesText(series: readonly Series[], page: Page): string[] {
  const expiries = Map.groupBy(series, ({ expiryTs }) => expiryTs);
  const rows = [...expiries]
    .map(([expiryTs, rows]): Expiry => ({ expiryTs, strikes: rows.map(({ strike }) => strike) }))
    .toSorted((a, b) => a.expiryTs - b.expiryTs);
  if (rows.length === 0) return ['nothing is listed'];
  const nowMs = Date.now();
  const columns: Column<Expiry>[] = [
    { title: 'expiry 20:00 New York', cell: ({ expiryTs }) => expiryDay(expiryTs), rank: 0 },
    { title: 'left', cell: ({ expiryTs }) => timeLeft(expiryTs * 1_000 - nowMs), rank: 1 },
    { title: 'unix seconds', cell: ({ expiryTs }) => String(expiryTs), rank: 3 },
    { title: 'lowest USD', cell: ({ strikes }) => Math.min(...strikes), places: [0, 6], rank: 2 },
    { title: 'highest USD', cell: ({ strikes }) => Math.max(...strikes), places: [0, 6], rank: 2 },
    { title: 'series', cell: ({ strikes }) => strikes.length, places: [0, 0], rank: 4 },
  ];
  return table(columns, rows, page);
}

/** In its last half-hour a settlement price is averaged already, and makers quote no more. */
const LAST_MS = 30 * 60_000;

/**
 * The named expiry, or the next one that is not about to end, where there is one. Throws `CommandError` if nothing is
 * listed for it.
 */
export function expiryOf(
  series: readonly Pick<Series, 'expiryTs'>[],
  { symbol, expiry }: { symbol: string; expiry: string | undefined },
  nowMs: number = Date.now(),
): number {
  const listed = [...new Set(series.map(({ expiryTs }) => expiryTs))].sort((a, b) => a - b);
  const next = listed.find((expiryTs) => expiryTs * 1_000 - nowMs > LAST_MS) ?? listed[0];
  if (next === undefined)
    throw new CommandError(`nothing is listed for ${symbol.toUpperCase()} at the moment`);
  if (expiry === undefined) return next;
  const word = expiryWord(expiry);
  const found = listed.find((expiryTs) =>
    'day' in word ? newYorkDay(expiryTs * 1_000) === word.day : expiryTs === word.expiryTs,
  );
  if (found === undefined) {
    const days = listed.slice(0, 3).map((expiryTs) => newYorkDay(expiryTs * 1_000));
    throw new CommandError(
      `no expiry ${expiry}: listed are ${days.join(', ')} …; "venue series ${symbol}" has them all`,
    );
  }
  return found;
}

export interface ChainOptions extends ExpiryOptions {
  readonly strikes: string;
}

/** Strikes on each side of the spot. */
export const STRIKES_MAX = 1_000;

/** Shows calls and puts of an expiry side by side. */
export async function runChainCommand(symbol: string, options: ChainOptions): Promise<void> {
  const aroundSpot = countOf('--strikes', options.strikes, STRIKES_MAX);
  const client = readingClient(options);
  const { expiry } = options;
  const expiryTs = expiryOf(await client.market.series(symbol), { symbol, expiry });
  const chain = await client.market.chain(symbol, expiryTs);
  show(options, chain, (page) => chainText(chain, { aroundSpot, page }));
  await saySimulated(client, options);
}

type ChainRow = Chain['rows'][number];

/** The strikes around the spot as a page. */
export function chainText(chain: Chain, { aroundSpot, page }: { aroundSpot: number; page: Page }): string[] {
  const { symbol, spot, rows, expiryTs } = chain;
  const above = rows.findIndex(({ strike }) => strike > spot);
  const middle = above < 0 ? rows.length : above;
  const shown = rows.slice(Math.max(0, middle - aroundSpot), middle + aroundSpot);
  const isCut = shown.length < rows.length;
  const session = chain.sessionOpen ? '' : '; its home market is closed';
  return [
    page.paint(`${symbol} at ${decimalText(spot, EXACT_USD)} USD${session}`, 'bold'),
    `expires ${expiryText(expiryTs, Date.now())}`,
    `prices in USD, sizes in contracts; a series is ${symbol}-${expiryTs}-C-STRIKE, or P for a put`,
    '',
    ...table(chainColumns(spot), shown, page),
    ...(isCut ? [`${shown.length} of ${rows.length} strikes; --strikes shows more`] : []),
  ];
}

/** Calls on the left, puts on the right, the strike between them; colours mark which side is in the money. */
function chainColumns(spot: number): Column<ChainRow>[] {
  const call = ({ call: leg }: ChainRow) => leg;
  const put = ({ put: leg }: ChainRow) => leg;
  const inTheMoney = (isIn: (strike: number) => boolean) => ({
    style: ({ strike }: ChainRow) => (isIn(strike) ? ('green' as const) : undefined),
  });
  const left = legColumns(
    call,
    'call',
    inTheMoney((strike) => strike < spot),
  );
  const right = legColumns(
    put,
    'put',
    inTheMoney((strike) => strike > spot),
  );
  const strike: Column<ChainRow> = {
    title: 'strike',
    cell: (row) => row.strike,
    places: [0, 6],
    rank: 0,
    style: () => 'bold',
  };
  return [left.iv, left.delta, left.oi, left.bidQty, left.bid, left.ask, left.askQty, strike].concat([
    right.bidQty,
    right.bid,
    right.ask,
    right.askQty,
    right.oi,
    right.delta,
    right.iv,
  ]);
}

function legColumns(
  leg: (row: ChainRow) => ChainLeg | null,
  name: string,
  style: Pick<Column<ChainRow>, 'style'>,
) {
  const column = (title: string, rank: number, cell: (leg: ChainLeg) => number | null): Column<ChainRow> => ({
    title: `${name} ${title}`,
    cell: (row) => {
      const found = leg(row);
      return found === null ? null : cell(found);
    },
    rank,
    ...style,
  });
  return {
    bid: column('bid', 0, ({ bid }) => bid?.price ?? null),
    ask: column('ask', 0, ({ ask }) => ask?.price ?? null),
    bidQty: { ...column('qty', 3, ({ bid }) => bid?.qty ?? null), title: 'qty', places: [0, 6] as const },
    askQty: { ...column('qty', 3, ({ ask }) => ask?.qty ?? null), title: 'qty', places: [0, 6] as const },
    delta: { ...column('delta', 2, ({ delta }) => delta || null), places: [2, 2] as const },
    iv: { ...column('iv %', 4, ({ iv }) => (iv === 0 ? null : iv * 100)), places: [1, 1] as const },
    oi: { ...column('open', 5, ({ openInterest }) => openInterest), places: [0, 6] as const },
  };
}

/** Shows the price levels of a book, bids beside asks. */
export async function runBookCommand(series: string, options: CommonOptions): Promise<void> {
  const seriesId = seriesOf(series);
  const book = await readingClient(options).market.book(seriesId);
  show(options, book, (page) => bookText(book, page));
}

interface BookRow {
  readonly bid: Level | undefined;
  readonly ask: Level | undefined;
}

/** The book as a page. */
export function bookText({ seriesId, bids, asks }: Book, page: Page): string[] {
  const rows: BookRow[] = Array.from({ length: Math.max(bids.length, asks.length) }, (_, i) => ({
    bid: bids[i],
    ask: asks[i],
  }));
  const { expiryTs } = parseSeriesId(seriesId) ?? {};
  return [
    page.paint(seriesId, 'bold'),
    ...(expiryTs === undefined ? [] : [`expires ${expiryText(expiryTs, Date.now())}`]),
    spreadText(bids[0], asks[0]),
    '',
    ...(rows.length === 0 ? ['nothing rests here'] : table(BOOK_COLUMNS, rows, page)),
  ];
}

function spreadText(bid: Level | undefined, ask: Level | undefined): string {
  if (bid === undefined || ask === undefined) return 'no spread: one side is empty';
  const spread = ask.price - bid.price;
  const percent = ((spread / ((ask.price + bid.price) / 2)) * 100).toFixed(1);
  return `spread ${decimalText(spread, EXACT_USD)} USD, ${percent} %`;
}

const BOOK_COLUMNS: readonly Column<BookRow>[] = [
  { title: 'bid contracts', cell: ({ bid }) => bid?.qty ?? null, places: [0, 6], rank: 1 },
  { title: 'bid USD', cell: ({ bid }) => bid?.price ?? null, rank: 0, style: () => 'green' },
  { title: 'ask USD', cell: ({ ask }) => ask?.price ?? null, rank: 0, style: () => 'red' },
  { title: 'ask contracts', cell: ({ ask }) => ask?.qty ?? null, places: [0, 6], rank: 1 },
];
