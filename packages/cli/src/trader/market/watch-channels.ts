/** `venue watch book|chain|trades`: channels of the stream, redrawn in place on a terminal, line by line elsewhere. */

import type { Chain, ChainLeg, ChainMembers, Trade } from '@venue/protocol';
import {
  ChannelEndedError,
  type ChannelMessage,
  type Channels,
  type LocalBook,
  openChannels,
} from '@venue/sdk';
import { countOf, seriesOf } from '../../connection/arguments.ts';
import { type CommonOptions, readingClient } from '../../connection/connection.ts';
import { decimalText, EXACT_USD } from '../../terminal/numbers.ts';
import { pageOf, say, write } from '../../terminal/output.ts';
import { plain } from '../../terminal/plain.ts';
import { endOnSignal, Screen } from '../../terminal/screen.ts';
import { type Page, table } from '../../terminal/table.ts';
import { utcSecond } from '../../terminal/times.ts';
import { bookText, type ChainOptions, chainText, expiryOf, STRIKES_MAX } from './market.ts';
import { TRADE_COLUMNS, tradeText } from './watch-state.ts';

/** Redrawing more often than people can see would be a waste. */
const DRAW_MS = 250;
const LAST_TRADES = 40;

/** Follows a book until Ctrl-C, or until its series has ended. Throws for a series that the venue does not know. */
export async function runWatchBookCommand(series: string, options: CommonOptions): Promise<void> {
  const seriesId = seriesOf(series);
  const channels = open(options);
  if (options.json) return printMessages(channels, `book:${seriesId}`);
  const book = await channels.book(seriesId).right();
  const shown = (page: Page) => bookText({ seriesId, bids: [...book.bids], asks: [...book.asks] }, page);
  const stop = draw(channels, shown, () => book.isRight);
  if (!process.stdout.isTTY) printTop(book);
  await ended(book);
  stop();
  finish(channels, `book:${seriesId}`);
}

function printTop(book: LocalBook): void {
  let last = '';
  const print = () => {
    const line = topText(book);
    if (line !== last) printLine(line);
    last = line;
  };
  print();
  book.onChange(print);
}

/** Resolves once the series of a book has ended. */
function ended(book: LocalBook): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (book.error instanceof ChannelEndedError) resolve();
    };
    book.onChange(look);
    look();
  });
}

/** Follows a chain until Ctrl-C, or until its expiry has ended. Throws for an expiry that is not listed. */
export async function runWatchChainCommand(symbol: string, options: ChainOptions): Promise<void> {
  const aroundSpot = countOf('--strikes', options.strikes, STRIKES_MAX);
  const client = readingClient(options);
  const expiryTs = expiryOf(await client.market.series(symbol), { symbol, expiry: options.expiry });
  const channels = open(options);
  const name = `chain:${symbol.toUpperCase()}:${expiryTs}` as const;
  if (options.json) return printMessages(channels, name);
  let chain: Chain = { symbol: symbol.toUpperCase(), expiryTs, spot: 0, sessionOpen: true, rows: [] };
  let isRight = false;
  const stop = draw(
    channels,
    (page) => chainText(chain, { aroundSpot, page }),
    () => isRight,
  );
  await new Promise<void>((resolve, reject) =>
    channels.listen(name, {
      onMessage(message) {
        const before = chain;
        chain = changedChain(chain, message);
        if (!process.stdout.isTTY) for (const line of chainLines(before, chain)) printLine(line);
      },
      onRight(now) {
        isRight = now;
      },
      onRefused: (reason) => (reason instanceof ChannelEndedError ? resolve() : reject(reason)),
    }),
  );
  stop();
  finish(channels, name);
}

/** Follows the trades of an underlying until Ctrl-C. Throws the refusal of one that the venue does not know. */
export async function runWatchTradesCommand(symbol: string, options: CommonOptions): Promise<void> {
  const name = symbol.toUpperCase();
  const channels = open(options);
  if (options.json) return printMessages(channels, `trades:${name}`);
  let last: readonly Trade[] = [];
  const shown = (page: Page) => [
    page.paint(`trades of ${name}`, 'bold'),
    '',
    ...table(TRADE_COLUMNS, last, page),
  ];
  const stop = draw(channels, shown, () => true);
  const onGap = () => say('venue: some trades may be missing here: the history of the venue cannot be read');
  for await (const print of channels.trades(name, { onGap })) {
    last = [print, ...last].slice(0, LAST_TRADES);
    if (!process.stdout.isTTY) printLine(`trade  ${tradeText(print)}`);
  }
  stop();
  finish(channels, `trades:${name}`);
}

/** The chain after a message. */
export function changedChain(before: Chain, message: Pick<ChannelMessage, 'type'> & ChainMembers): Chain {
  const rows = new Map(message.type === 'snapshot' ? [] : before.rows.map((row) => [row.strike, row]));
  for (const row of message.rows ?? []) {
    if (row.call === null && row.put === null) rows.delete(row.strike);
    else rows.set(row.strike, row);
  }
  return {
    ...before,
    spot: message.spot ?? before.spot,
    sessionOpen: message.sessionOpen ?? before.sessionOpen,
    rows: [...rows.values()].sort((a, b) => a.strike - b.strike),
  };
}

/** A line for the spot and for each contract whose best prices changed. */
export function chainLines(before: Chain, after: Chain): string[] {
  const known = new Map(legsOf(before).map((leg) => [leg.seriesId, legText(leg)]));
  const legs = legsOf(after).map((leg) => [leg.seriesId, legText(leg)] as const);
  return [
    ...(before.spot === after.spot ? [] : [`spot   ${decimalText(after.spot, EXACT_USD)} USD`]),
    ...legs.filter(([seriesId, text]) => known.get(seriesId) !== text).map(([, text]) => text),
  ];
}

function legsOf({ rows }: Chain): ChainLeg[] {
  return rows.flatMap(({ call, put }) => [call, put].filter((leg) => leg !== null));
}

function legText({ seriesId, bid, ask }: ChainLeg): string {
  return `quote  ${plain(seriesId)} ${levelText(bid)} / ${levelText(ask)}`;
}

function topText({ bids, asks, isRight }: LocalBook): string {
  return `book   ${levelText(bids[0])} / ${levelText(asks[0])}${isRight ? '' : ', as last known'}`;
}

function levelText(level: { readonly price: number; readonly qty: number } | null | undefined): string {
  return level ? `${level.qty} at ${level.price}` : 'none';
}

function open(options: CommonOptions): Channels {
  endOnSignal();
  return openChannels(readingClient(options), {
    onLive: () => tell('live'),
    onLost: ({ reason, retryInMs }) =>
      tell(`${plain(reason.message)}; again in ${(retryInMs / 1_000).toFixed(1)} s`),
  });
}

function tell(word: string): void {
  if (!process.stdout.isTTY) say(`venue: ${word}`);
}

async function printMessages(channels: Channels, name: string): Promise<void> {
  for await (const message of channels.messages(name)) write(`${JSON.stringify(message)}\n`);
  finish(channels, name);
}

/** The channel has ended, and with it the command. */
function finish(channels: Channels, name: string): void {
  channels.close();
  say(`venue: ${plain(name)} has ended`);
}

function printLine(line: string): void {
  write(`${utcSecond(Date.now())} ${line}\n`);
}

/** Redraws on a terminal until the returned function is called; does nothing elsewhere. */
function draw(
  channels: Channels,
  linesOf: (page: Page) => readonly string[],
  isRight: () => boolean,
): () => void {
  if (!process.stdout.isTTY) return () => {};
  const screen = new Screen(process.stdout);
  const redraw = () => {
    const page = pageOf(process.stdout);
    const state = channels.isLive ? (isRight() ? 'live' : 'as last known') : 'connecting';
    const head = `${state}  ${utcSecond(Date.now())} UTC  (Ctrl-C ends)`;
    screen.draw([page.paint(head, 'dim'), '', ...linesOf(page)]);
  };
  const timer = setInterval(redraw, DRAW_MS);
  process.stdout.on('resize', redraw);
  return () => {
    clearInterval(timer);
    process.stdout.off('resize', redraw);
  };
}
