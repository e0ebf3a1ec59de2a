/** Candles of the venue's history, read when they are shown, and then going on with what the stream brings. */

import { type Candle, type Interval, parseSeriesId, type Trade } from '@venue/protocol';
import { NotFoundError, UnavailableError } from '@venue/sdk/browser';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { touchOfBook } from '../market/books.ts';
import { type Price, priceOfTrade, withPrice } from '../market/candles.ts';
import { venueNowMs } from '../market/clock.ts';
import { type Terminal, useStore, useTerminal } from './terminal.ts';

export type CandlesOf = `spot:${string}` | `mark:${string}` | `trade:${string}`;

/** `none` is a venue without a history, or without one at present: then the candles are of what this page has seen. */
export type HistoryState = 'reading' | 'read' | 'none' | 'failed';

export interface ShownCandles {
  /** Oldest first. */
  readonly candles: readonly Candle[];
  readonly state: HistoryState;
}

const DRAW_EVERY_MS = 500;
const NO_ALLOWANCE_MS = 300;
/** A venue may be making its history again. */
const AGAIN_MS = 15_000;
/** Marks by the model are in no channel. */
const MARKS_EVERY_MS = 60_000;
const NOTHING: ShownCandles = { candles: [], state: 'reading' };

/** Null for `of` shows none. After a lost connection they are read again, and kept until then. */
export function useCandles(of: CandlesOf | null, interval: Interval): ShownCandles {
  const terminal = useTerminal();
  const isOut = useStore(terminal.stores.link, ({ state }) => state === 'stale' || state === 'offline');
  const riskMark = useStore(terminal.stores.link, (link) => link.riskMark);
  const key = `${of} ${interval}`;
  const [shown, setShown] = useState({ ...NOTHING, key });
  useEffect(() => {
    if (of === null || isOut) return undefined;
    const run = new CandleRun(terminal, { of, interval }, (next) => setShown({ ...next, key }));
    run.start(riskMark);
    return () => run.end();
  }, [terminal, of, interval, isOut, riskMark, key]);
  return shown.key === key ? shown : NOTHING;
}

/** One reading of candles, with the prices that come meanwhile and after. */
class CandleRun {
  readonly #terminal: Terminal;
  readonly #wanted: { readonly of: CandlesOf; readonly interval: Interval };
  readonly #show: (shown: ShownCandles) => void;
  readonly #ends: (() => void)[] = [];
  /** Null while the history is read. */
  #candles: readonly Candle[] | null = null;
  /** Those before it was read again. */
  #before: readonly Candle[] = [];
  #waiting: Price[] = [];
  #state: HistoryState = 'reading';
  /** The interval at which the history is read again; null where the stream carries on from it. */
  #everyMs: number | null = null;
  #reads = 0;
  #reading: ReturnType<typeof setTimeout> | undefined;
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(
    terminal: Terminal,
    wanted: { readonly of: CandlesOf; readonly interval: Interval },
    show: (shown: ShownCandles) => void,
  ) {
    this.#terminal = terminal;
    this.#wanted = wanted;
    this.#show = show;
  }

  get #isOfSpot(): boolean {
    return this.#wanted.of.startsWith('spot:');
  }

  start(riskMark: 'book' | 'model'): void {
    const [kind, name] = this.#wanted.of.split(/:(.*)/s) as ['spot' | 'mark' | 'trade', string];
    if (kind === 'spot') this.#followSpot(name);
    else if (kind === 'trade') this.#followTrades(name);
    else if (riskMark === 'book') this.#followMark(name);
    else this.#everyMs = MARKS_EVERY_MS;
    // The first message of trades has the history read.
    if (kind !== 'trade') void this.#read();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#reading);
    clearTimeout(this.#drawing);
    for (const end of this.#ends) end();
  }

  #readAnew(): void {
    clearTimeout(this.#reading);
    this.#before = this.#candles ?? this.#before;
    this.#candles = null;
    void this.#read();
  }

  async #read(): Promise<void> {
    const { client, take } = this.#terminal;
    this.#reads += 1;
    const number = this.#reads;
    if (!take()) return this.#readIn(NO_ALLOWANCE_MS);
    try {
      const candles = await client.market.candles(this.#wanted);
      if (number !== this.#reads) return;
      this.#take(candles, 'read');
      if (this.#everyMs !== null) this.#readIn(this.#everyMs);
    } catch (error) {
      if (number !== this.#reads) return;
      // A contract that the venue no longer knows of has no history.
      if (error instanceof NotFoundError) this.#take([], 'read');
      else {
        this.#take(this.#candles ?? this.#before, error instanceof UnavailableError ? 'none' : 'failed');
        this.#readIn(AGAIN_MS);
      }
    }
  }

  #readIn(ms: number): void {
    if (!this.#isOver) this.#reading = setTimeout(() => void this.#read(), ms);
  }

  /** Prices that came while the history was read may be in it already: they count again, their quantities do not. */
  #take(read: readonly Candle[], state: HistoryState): void {
    if (this.#isOver) return;
    this.#state = state;
    this.#candles = read;
    for (const { ms, price } of this.#waiting) this.#add({ ms, price });
    this.#waiting = [];
    this.#draw();
  }

  #price(price: Price): void {
    if (this.#candles === null) this.#waiting.push(price);
    else this.#add(price);
    if (this.#isOfSpot) this.#drawAtOnce();
    else this.#drawing ??= setTimeout(() => this.#draw(), DRAW_EVERY_MS);
  }

  /** The spot stands in large figures beside its chart: both change in the same frame. */
  #drawAtOnce(): void {
    queueMicrotask(() => {
      if (!this.#isOver) flushSync(() => this.#draw());
    });
  }

  #add(price: Price): void {
    this.#candles = withPrice(this.#candles ?? [], price, this.#wanted.interval);
  }

  #draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    if (this.#candles !== null) this.#show({ candles: this.#candles, state: this.#state });
  }

  #followSpot(symbol: string): void {
    const { stores } = this.#terminal;
    let last = 0;
    const look = () => {
      const found = stores.listing.getState().instruments.find((one) => one.symbol === symbol);
      if (found === undefined || !found.feedFresh || found.spot === last) return;
      last = found.spot;
      this.#price({ ms: venueNowMs(stores.link), price: last });
    };
    this.#ends.push(stores.listing.subscribe(look));
    look();
  }

  /** By the book, a mark is the midpoint of the best prices. */
  #followMark(seriesId: string): void {
    const { channels, stores } = this.#terminal;
    const book = channels.book(seriesId);
    let last = Number.NaN;
    book.onChange(() => {
      const { mark } = touchOfBook(book);
      if (!book.isRight || Object.is(mark, last)) return;
      last = mark;
      if (mark > 0) this.#price({ ms: venueNowMs(stores.link), price: mark });
    });
    this.#ends.push(() => book.close());
  }

  /** Trades from before a snapshot are in the history, which is read after it. */
  #followTrades(seriesId: string): void {
    const symbol = parseSeriesId(seriesId)?.symbol;
    const end = this.#terminal.channels.listen(`trades:${symbol}`, {
      onMessage: ({ type, trades }) => {
        if (type === 'snapshot') this.#readAnew();
        else for (const trade of trades) this.#takeTrade(seriesId, trade);
      },
    });
    this.#ends.push(end);
  }

  #takeTrade(seriesId: string, trade: Trade): void {
    const price = priceOfTrade(seriesId, trade);
    if (price !== null) this.#price(price);
  }
}
