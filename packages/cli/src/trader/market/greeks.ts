/** `venue greeks`: what a position in a contract is exposed to. */

import { parseSeriesId, type Ticker, type TickerList, upperSymbol } from '@venue/protocol';
import { CommandError } from '../../base/command-error.ts';
import { countOf } from '../../connection/arguments.ts';
import { readingClient, saySimulated } from '../../connection/connection.ts';
import { decimalText, EXACT_USD } from '../../terminal/numbers.ts';
import { show } from '../../terminal/output.ts';
import { type Column, type Page, table } from '../../terminal/table.ts';
import { expiryText } from '../../terminal/times.ts';
import { type ChainOptions, expiryOf, STRIKES_MAX } from './market.ts';

export type GreeksOptions = ChainOptions;

/** Shows the tickers of an expiry, or the one of a contract. */
export async function runGreeksCommand(what: string, options: GreeksOptions): Promise<void> {
  const aroundSpot = countOf('--strikes', options.strikes, STRIKES_MAX);
  const name = upperSymbol(what);
  const series = parseSeriesId(name);
  const client = readingClient(options);
  const symbol = series?.symbol ?? name;
  const list = await client.market.tickers(symbol);
  if (series !== undefined) {
    const found = list.tickers.find(({ seriesId }) => seriesId === name);
    if (found === undefined)
      throw new CommandError(`${name} is not traded; "venue series ${symbol}" lists what is`);
    show(options, found, (page) => greeksText(list, { tickers: [found], page }));
    return saySimulated(client, options);
  }
  const expiryTs = expiryOf(list.tickers.map(partsOf), { symbol, expiry: options.expiry });
  const tickers = list.tickers.filter((ticker) => partsOf(ticker).expiryTs === expiryTs);
  show(options, { ...list, tickers }, (page) =>
    greeksText(list, { tickers: nearSpot(tickers, list.spot, aroundSpot), page }),
  );
  await saySimulated(client, options);
}

interface Parts {
  readonly expiryTs: number;
  readonly right: 'C' | 'P';
  readonly strike: number;
}

/** The venue names its series by the rule that the protocol reads. */
function partsOf({ seriesId }: Ticker): Parts {
  const { expiryTs, right, strikeMicros } = parseSeriesId(seriesId)!;
  return { expiryTs, right, strike: strikeMicros / 1e6 };
}

function nearSpot(tickers: readonly Ticker[], spot: number, aroundSpot: number): Ticker[] {
  const strikes = [...new Set(tickers.map((ticker) => partsOf(ticker).strike))].sort((a, b) => a - b);
  const above = strikes.findIndex((strike) => strike > spot);
  const middle = above < 0 ? strikes.length : above;
  const shown = new Set(strikes.slice(Math.max(0, middle - aroundSpot), middle + aroundSpot));
  const near = tickers.filter((ticker) => shown.has(partsOf(ticker).strike));
  return near.sort((a, b) => partsOf(a).strike - partsOf(b).strike || a.seriesId.localeCompare(b.seriesId));
}

/** Tickers of one expiry as a page. */
export function greeksText(
  { symbol, spot, settlementSoFar }: TickerList,
  { tickers, page }: { readonly tickers: readonly Ticker[]; readonly page: Page },
): string[] {
  const [first] = tickers;
  const soFar =
    settlementSoFar == null ? [] : [`would settle at ${decimalText(settlementSoFar, EXACT_USD)} USD so far`];
  return [
    page.paint(`${symbol} at ${decimalText(spot, EXACT_USD)} USD`, 'bold'),
    ...(first === undefined ? [] : [`expires ${expiryText(partsOf(first).expiryTs, Date.now())}`]),
    ...soFar,
    '',
    ...(first === undefined ? ['nothing is listed'] : table(COLUMNS, tickers, page)),
  ];
}

const COLUMNS: readonly Column<Ticker>[] = [
  { title: 'series', cell: ({ seriesId }) => seriesId, rank: 0 },
  { title: 'mark USD', cell: ({ mark }) => mark, rank: 1 },
  { title: 'iv %', cell: ({ iv }) => (iv === null ? null : iv * 100), places: [1, 1], rank: 0 },
  { title: 'delta', cell: ({ delta }) => delta, places: [3, 3], rank: 0 },
  { title: 'gamma', cell: ({ gamma }) => gamma, places: [6, 6], rank: 0 },
  { title: 'vega USD', cell: ({ vega }) => vega, places: [2, 2], rank: 0 },
  { title: 'theta USD', cell: ({ theta }) => theta, places: [2, 2], rank: 0 },
  { title: 'last USD', cell: ({ last }) => last, rank: 3 },
  { title: '24 h', cell: ({ volume24h }) => volume24h, places: [0, 6], rank: 2 },
  { title: 'open', cell: ({ openInterest }) => openInterest, places: [0, 6], rank: 2 },
];
