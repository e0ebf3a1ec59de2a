/** Crypto prices from Kraken's public WebSocket: its trades, its ticker and the midpoint of its book. */

import { type Static, Type } from 'typebox';
import type { Observation, PriceBoard } from './board.ts';
import type { Hooks } from './connection.ts';
import { type Clock, SYSTEM_CLOCK } from './freshness.ts';
import { BOOK_DEPTH, listenToKraken } from './kraken.ts';
import { Mids } from './mids.ts';
import { checkOf } from './shape.ts';

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

const TEXT = Type.String();
// The board judges a price, whatever it is; but an object may have no number, and to ask it for one throws.
const PRICE = Type.Union([Type.Number(), TEXT, Type.Null()]);
// A trade without a time may be of any age.
const TRADE = Type.Object({ symbol: TEXT, price: PRICE, trade_id: Type.Integer(), timestamp: TEXT });
const TICKER = Type.Object({ symbol: TEXT, last: PRICE, timestamp: Type.Optional(TEXT) });
const LEVELS = Type.Array(Type.Object({ price: Type.Number(), qty: Type.Number() }));
const BOOK = Type.Object({ symbol: TEXT, bids: LEVELS, asks: LEVELS, timestamp: Type.Optional(TEXT) });

const isFrame = checkOf(Type.Union([Type.Object({ channel: TEXT }), Type.Object({ method: TEXT })]));
const isRefusal = checkOf(
  Type.Object({
    method: Type.Literal('subscribe'),
    success: Type.Literal(false),
    error: Type.Optional(Type.Unknown()),
  }),
);
const isStatus = checkOf(Type.Object({ data: Type.Array(Type.Object({ system: TEXT })) }));
const isTrades = checkOf(Type.Object({ data: Type.Array(TRADE) }));
const isTicker = checkOf(Type.Object({ type: TEXT, data: Type.Array(TICKER) }));
const isBook = checkOf(Type.Object({ type: TEXT, data: Type.Array(BOOK) }));

type Trade = Static<typeof TRADE>;
type Ticker = Static<typeof TICKER>;
type Book = Static<typeof BOOK>;
type Levels = Static<typeof LEVELS>;

/** A listener for `keepConnected`. */
export function cryptoListener(
  options: CryptoOptions,
): (signal: AbortSignal, hooks: Hooks) => Promise<string> {
  const { url, board, clock = SYSTEM_CLOCK } = options;
  for (const symbol of options.pairs.keys())
    for (const source of Object.values(CRYPTO_SOURCES)) board.expect(symbol, source);
  return async (signal, hooks) => {
    const mids = new Mids({ source: CRYPTO_SOURCES.mid, board, clock });
    const frames = new Frames(options, hooks, mids);
    const repeat = setInterval(() => mids.repeat(), LOOK_EVERY_MS);
    const pairs = [...new Set(options.pairs.values())];
    return listenToKraken({ url, pairs, signal, onFrame: (frame) => frames.read(frame) }).finally(() =>
      clearInterval(repeat),
    );
  };
}

/** Reads the frames of one connection, whose books are good as long as it is. */
class Frames {
  readonly #options: CryptoOptions;
  readonly #hooks: Hooks;
  readonly #mids: Mids;
  readonly #books = new Map<string, Pick<Book, 'bids' | 'asks'>>();

  constructor(options: CryptoOptions, hooks: Hooks, mids: Mids) {
    this.#options = options;
    this.#hooks = hooks;
    this.#mids = mids;
  }

  /** Returns why the connection has to end, or null. */
  read(frame: unknown): string | null {
    if (!isFrame(frame)) return this.#garbled();
    this.#hooks.alive();
    this.#mids.alive();
    if (isRefusal(frame)) return `subscription refused: ${reasonIn(frame.error)}`;
    switch ('channel' in frame && frame.channel) {
      case 'status':
        this.#mids.isOnline = isStatus(frame) && frame.data[0]?.system === 'online';
        return null;
      case 'trade':
        return isTrades(frame) ? this.#readTrades(frame.data) : this.#garbled();
      case 'ticker':
        return isTicker(frame) ? this.#readTicker(frame.type, frame.data) : this.#garbled();
      case 'book':
        return isBook(frame) ? this.#readBooks(frame.type, frame.data) : 'a book cannot be read';
      default:
        return null;
    }
  }

  #readTrades(trades: readonly Trade[]): null {
    for (const { symbol: pair, price, timestamp, trade_id: id } of trades)
      this.#offer(pair, {
        source: CRYPTO_SOURCES.trades,
        price: Number(price),
        upstreamMs: Date.parse(timestamp),
        id: `${id}`,
      });
    return null;
  }

  #readTicker(type: string, tickers: readonly Ticker[]): null {
    // A snapshot holds the last trade, which may be hours old, without its time.
    if (type === 'snapshot') return null;
    for (const { symbol: pair, last, timestamp } of tickers)
      this.#offer(pair, {
        source: CRYPTO_SOURCES.ticker,
        price: Number(last),
        upstreamMs: timeOf(timestamp),
      });
    return null;
  }

  #readBooks(type: string, changes: readonly Book[]): string | null {
    for (const { symbol: pair, bids, asks, timestamp } of changes) {
      const symbols = this.#symbolsOf(pair);
      // Nobody asked for it, and such books could be any number.
      if (symbols.length === 0) continue;
      const before = type === 'snapshot' ? { bids: [], asks: [] } : this.#books.get(pair);
      // A book that missed an update stays wrong: only a new connection repairs it.
      if (before === undefined) return `an update of ${pair} came before its book`;
      const book = { bids: levels(before.bids, bids, -1), asks: levels(before.asks, asks, 1) };
      this.#books.set(pair, book);
      const [bid = Number.NaN, ask = Number.NaN] = [book.bids[0]?.price, book.asks[0]?.price];
      const upstreamMs = type === 'snapshot' ? undefined : timeOf(timestamp);
      for (const symbol of symbols) this.#mids.update({ symbol, bid, ask, upstreamMs });
    }
    return null;
  }

  #offer(pair: string, price: Omit<Observation, 'symbol'>): void {
    for (const symbol of this.#symbolsOf(pair)) this.#options.board.offer({ symbol, ...price });
  }

  #symbolsOf(pair: string): string[] {
    const symbols = [...this.#options.pairs].filter(([, named]) => named === pair).map(([symbol]) => symbol);
    if (symbols.length === 0) this.#garbled();
    return symbols;
  }

  #garbled(): null {
    this.#options.board.drop('garbled');
    return null;
  }
}

/** The words of the upstream in one short line; they may be anything. */
function reasonIn(error: unknown): string {
  return typeof error === 'string' ? error.replace(/\s+/g, ' ').slice(0, 100) : 'without a reason';
}

/** A side of a book with some levels changed, the best first; a quantity of zero removes one. */
function levels(before: Levels, changes: Levels, ascending: 1 | -1): Levels {
  const quantities = new Map([...before, ...changes].map(({ price, qty }) => [price, qty]));
  return [...quantities]
    .map(([price, qty]) => ({ price, qty }))
    .filter(({ qty }) => qty > 0)
    .sort((a, b) => (a.price - b.price) * ascending)
    .slice(0, BOOK_DEPTH);
}

/** In unix milliseconds; undefined for none and for no time at all. */
function timeOf(text: string | undefined): number | undefined {
  const atMs = Date.parse(text ?? '');
  return Number.isNaN(atMs) ? undefined : atMs;
}
