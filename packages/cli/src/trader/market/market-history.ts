/** `venue candles|history`: prices and trades of the past. */

import { type Candle, type Interval, parseSeriesId, type Trade, upperSymbol } from '@venue/protocol';
import type { CandleSpan, TradesOf, VenueClient } from '@venue/sdk';
import { usageError } from '../../base/command-error.ts';
import { countOf, seriesOf, type TimeSpan, timesOf } from '../../connection/arguments.ts';
import { type CommonOptions, readingClient } from '../../connection/connection.ts';
import { csv } from '../../terminal/csv.ts';
import { decimalText, type Places } from '../../terminal/numbers.ts';
import { say, show, write } from '../../terminal/output.ts';
import { progressCount } from '../../terminal/progress-count.ts';
import { type Column, type Page, table } from '../../terminal/table.ts';
import { utcSecond } from '../../terminal/times.ts';
import { writeTradesParquet } from './trades-parquet.ts';
import { TRADE_COLUMNS } from './watch-state.ts';

const INTERVALS: readonly Interval[] = ['1m', '5m', '15m', '1h', '4h', '1d'];
const TRADES_SHOWN = 50;
const EXACT: Places = [0, 6];

export interface CandlesOptions extends CommonOptions {
  readonly interval: string;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: true;
}

/** Shows candles, oldest first: the last that one answer holds, or with `--from` all since then. */
export async function runCandlesCommand(of: string, options: CandlesOptions): Promise<void> {
  oneFormat(options);
  const span = spanOf(of, options);
  const rows = candlesOf(readingClient(options), span);
  const candles = await Array.fromAsync(progressCount('candles', 'rows', rows));
  if (candles.some(({ simulated }) => simulated))
    say(
      'venue: prices from before the first of this paper market are computed, and none of them was ever taken',
    );
  if (options.csv) write(candlesCsv(candles));
  else show(options, candles, (page) => listed(CANDLE_COLUMNS, candles, page));
}

async function* candlesOf({ market }: VenueClient, span: CandleSpan): AsyncGenerator<Candle, void> {
  const { from } = span;
  if (from === undefined) yield* await market.candles(span);
  else yield* market.allCandles({ ...span, from });
}

function spanOf(of: string, options: CandlesOptions): CandleSpan {
  const { interval } = options;
  const known = INTERVALS.find((one) => one === interval);
  if (known === undefined)
    throw usageError(`--interval is one of ${INTERVALS.join(', ')}, not "${interval}"`);
  return { of: nameOf(of), interval: known, ...timesOf(options) };
}

function nameOf(of: string): CandleSpan['of'] {
  const [kind, name] = of.split(/:(.*)/s);
  if (kind === 'spot' && name) return `spot:${upperSymbol(name)}`;
  if ((kind === 'mark' || kind === 'trade') && name) return `${kind}:${seriesOf(name)}`;
  throw usageError(`candles are of spot:SYMBOL, mark:SERIES or trade:SERIES, not "${of}"`);
}

const CANDLE_COLUMNS: readonly Column<Candle>[] = [
  { title: 'from (UTC)', cell: ({ t }) => utcSecond(t), rank: 0 },
  { title: 'open USD', cell: ({ o }) => o, rank: 1 },
  { title: 'high USD', cell: ({ h }) => h, rank: 1 },
  { title: 'low USD', cell: ({ l }) => l, rank: 1 },
  { title: 'close USD', cell: ({ c }) => c, rank: 0 },
  { title: 'contracts', cell: ({ v }) => v ?? null, places: [0, 6], rank: 2 },
];

/** Candles as CSV: prices in plain decimals, times as ISO 8601 in UTC and in unix ms. */
export function candlesCsv(candles: readonly Candle[]): string {
  return csv(
    ['time', 't', 'o', 'h', 'l', 'c', 'v'],
    candles.map(({ t, o, h, l, c, v }) => [
      new Date(t).toISOString(),
      String(t),
      ...[o, h, l, c].map((price) => decimalText(price, EXACT)),
      v === undefined ? '' : decimalText(v, EXACT),
    ]),
  );
}

export interface TradesOptions extends CommonOptions {
  readonly limit?: string;
  readonly before?: string;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: true;
  /** Path of the file to write. */
  readonly parquet?: string;
}

/**
 * Lists the trades of a contract or an underlying, newest first. As CSV or in a Parquet file it is all of them, unless a limit
 * is given.
 */
export async function runTradesCommand(what: string, options: TradesOptions): Promise<void> {
  oneFormat(options);
  const limit = limitOf(options);
  const before =
    options.before === undefined
      ? {}
      : { before: countOf('--before', options.before, Number.MAX_SAFE_INTEGER) };
  const { market } = readingClient(options);
  const span = timesOf(options);
  const found = firstOf(tradesWithin(market.allTrades({ ...tradesOf(what), ...before }), span), limit);
  const counted = progressCount('trades', 'rows', found);
  if (options.parquet !== undefined) return writeParquet(options.parquet, counted, options);
  const trades = await Array.fromAsync(counted);
  if (options.csv) write(tradesCsv(trades));
  else show(options, trades, (page) => listed(COLUMNS_WITH_ID, trades, page));
}

/** Refuses two formats at once. */
export function oneFormat(options: CommonOptions & { readonly csv?: true; readonly parquet?: string }): void {
  const { json, csv: asCsv } = options;
  if (json && asCsv) throw usageError('--json and --csv exclude each other');
  if (asCsv && 'parquet' in options) throw usageError('--csv and --parquet exclude each other');
}

function limitOf({ limit, csv: asCsv, parquet }: TradesOptions): number {
  if (limit !== undefined) return countOf('--limit', limit, Number.MAX_SAFE_INTEGER);
  return asCsv || parquet !== undefined ? Infinity : TRADES_SHOWN;
}

function tradesOf(what: string): TradesOf {
  const upper = upperSymbol(what);
  return parseSeriesId(upper) === undefined ? { symbol: upper } : { seriesId: upper };
}

async function writeParquet(
  path: string,
  trades: AsyncIterable<Trade>,
  options: TradesOptions,
): Promise<void> {
  const count = await writeTradesParquet(path, trades);
  show(options, { file: path, trades: count }, () => [`${path}: ${count} trades`]);
}

/** Keeps the trades of a span of time. As they come newest first, it stops at the first older one and asks for no more. */
async function* tradesWithin(trades: AsyncIterable<Trade>, { from = 0, to = Infinity }: TimeSpan) {
  for await (const trade of trades) {
    if (trade.ts < from) return;
    if (trade.ts < to) yield trade;
  }
}

async function* firstOf<T>(rows: AsyncIterable<T>, count: number): AsyncGenerator<T, void> {
  let left = count;
  for await (const row of rows) {
    yield row;
    left -= 1;
    if (left === 0) return;
  }
}

const COLUMNS_WITH_ID: readonly Column<Trade>[] = [
  { title: 'id', cell: ({ id }) => id, places: [0, 0], rank: 2 },
  ...TRADE_COLUMNS,
];

/** Trades as CSV: amounts in plain decimals, times as ISO 8601 in UTC and in unix ms. */
export function tradesCsv(trades: readonly Trade[]): string {
  return csv(
    ['id', 'time', 'ts', 'seriesId', 'side', 'qty', 'price', 'self'],
    trades.map(({ id, ts, seriesId, side, qty, price, self }) => [
      ...[String(id), new Date(ts).toISOString(), String(ts), seriesId, side],
      ...[qty, price].map((amount) => decimalText(amount, EXACT)),
      self ? '1' : '0',
    ]),
  );
}

/** Rows as a table, or a word that there are none. */
export function listed<T>(columns: readonly Column<T>[], rows: readonly T[], page: Page): string[] {
  return rows.length === 0 ? ['nothing'] : table(columns, rows, page);
}
