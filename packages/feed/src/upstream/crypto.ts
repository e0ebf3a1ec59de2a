/** Crypto prices from Kraken's public WebSocket: its trades, its ticker and the midpoint of its book. */

import type { PriceBoard } from './board.ts';
import { type Hooks, reasonOf } from './connection.ts';
import { type Clock, SYSTEM_CLOCK } from './freshness.ts';
import { createKraken, type KrakenClient, loadKraken } from './kraken.ts';
import { Mids } from './mids.ts';

export const CRYPTO_SOURCES = { trades: 'kraken:trades', ticker: 'kraken:ticker', mid: 'kraken:mid' };

export interface CryptoOptions {
  readonly url: string;
  /** The upstream's pair for each symbol. */
  readonly pairs: ReadonlyMap<string, string>;
  readonly board: PriceBoard;
  readonly clock?: Clock;
}

/** Interval at which unchanged books are checked. */
const LOOK_EVERY_MS = 1_000;

/** A listener for `keepConnected`. */
export async function cryptoListener(
  options: CryptoOptions,
): Promise<(signal: AbortSignal, hooks: Hooks) => Promise<string>> {
  const Kraken = await loadKraken();
  for (const symbol of options.pairs.keys())
    for (const source of Object.values(CRYPTO_SOURCES)) options.board.expect(symbol, source);
  return async (signal, hooks) => {
    const { promise: lost, resolve: lose } = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => lose('closed'));
    const mids = new Mids({
      source: CRYPTO_SOURCES.mid,
      board: options.board,
      clock: options.clock ?? SYSTEM_CLOCK,
    });
    const kraken = createKraken(Kraken, {
      url: options.url,
      pairs: [...options.pairs.values()],
      onFrame: (frame) => readFrame(frame, { options, hooks, mids, lose }),
      onGarbled: () => options.board.drop('garbled'),
    });
    const repeat = setInterval(() => mids.repeat(), LOOK_EVERY_MS);
    for (const [symbol, pair] of options.pairs)
      for (const watch of [watchTrades, watchTicker, watchBook])
        watch({ kraken, symbol, pair, board: options.board, mids, signal }).catch((error) =>
          lose(reasonOf(error)),
        );
    const reason = await lost;
    clearInterval(repeat);
    await kraken.end();
    return reason;
  };
}

interface FrameContext {
  readonly options: CryptoOptions;
  readonly hooks: Hooks;
  readonly mids: Mids;
  readonly lose: (reason: string) => void;
}

/** Reads what ccxt does not pass on: heartbeats, the upstream's status, and refused subscriptions. */
function readFrame(frame: unknown, { options, hooks, mids, lose }: FrameContext): void {
  if (!isRecord(frame) || (typeof frame.channel !== 'string' && typeof frame.method !== 'string')) {
    options.board.drop('garbled');
    return;
  }
  hooks.alive();
  mids.alive();
  if (frame.method === 'subscribe' && frame.success === false)
    lose(`subscription refused: ${String(frame.error).slice(0, 100)}`);
  if (frame.channel !== 'status' || !Array.isArray(frame.data)) return;
  const status: unknown = frame.data[0];
  if (isRecord(status)) mids.isOnline = status.system === 'online';
}

interface Watch {
  readonly kraken: KrakenClient;
  readonly symbol: string;
  readonly pair: string;
  readonly board: PriceBoard;
  readonly mids: Mids;
  readonly signal: AbortSignal;
}

async function watchTrades({ kraken, symbol, pair, board, signal }: Watch): Promise<void> {
  while (!signal.aborted) {
    const trades = await kraken.watchTrades(pair, undefined, undefined, { snapshot: false });
    for (const trade of trades) {
      // A trade without a time may be of any age.
      if (trade.symbol !== pair || trade.timestamp === undefined) board.drop('garbled');
      else
        board.offer({
          symbol,
          source: CRYPTO_SOURCES.trades,
          price: Number(trade.price),
          upstreamMs: trade.timestamp,
          id: trade.id,
        });
    }
  }
}

async function watchTicker({ kraken, symbol, pair, board, signal }: Watch): Promise<void> {
  while (!signal.aborted) {
    const { last, info } = await kraken.watchTicker(pair, { snapshot: false });
    const sentMs = Date.parse(info?.timestamp);
    const upstreamMs = Number.isFinite(sentMs) ? sentMs : undefined;
    board.offer({ symbol, source: CRYPTO_SOURCES.ticker, price: Number(last), upstreamMs });
  }
}

async function watchBook({ kraken, symbol, pair, mids, signal }: Watch): Promise<void> {
  while (!signal.aborted) {
    const { bids, asks, timestamp } = await kraken.watchOrderBook(pair);
    mids.update({ symbol, bid: Number(bids[0]?.[0]), ask: Number(asks[0]?.[0]), upstreamMs: timestamp });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
