/** Follows channels through cut connections, and keeps what they show for the replay to judge (STR-2, STR-4). */

import { type Channels, type LocalBook, openChannels, type Trade, VenueClient } from '@venue/sdk';
import { eventually } from '../e2e/launched.ts';
import { FaultyProxy } from '../e2e/sdk-proxy.ts';

/** A book as it was after an entry, best levels first, as prices and quantities. */
export interface ShownBook {
  readonly seriesId: string;
  readonly bids: readonly (readonly [number, number])[];
  readonly asks: readonly (readonly [number, number])[];
}

/** The channels' messages. */
export interface Shown {
  /** By the entry after which they were so. */
  readonly books: ReadonlyMap<number, readonly ShownBook[]>;
  /** All of one underlying, in the order in which they came. */
  readonly trades: readonly Trade[];
  readonly symbol: string;
  readonly reconnects: number;
  /** Channels in which a message did not follow the one before, each time: the client recovers by itself. */
  readonly gaps: readonly string[];
}

export interface StreamWatchOptions {
  readonly url: string;
  readonly symbol: string;
  /** The mean time between two cuts of all connections. */
  readonly cutEveryMs: number;
}

/** A connection may have 512 channels. */
const BOOKS_MAX = 500;
const RETRY = { firstMs: 20, limitMs: 200 };

export class StreamWatch {
  readonly #symbol: string;
  readonly #proxy: FaultyProxy;
  readonly #client: VenueClient;
  readonly #channels: Channels;
  readonly #followed: LocalBook[] = [];
  readonly #books = new Map<number, ShownBook[]>();
  readonly #trades: Trade[] = [];
  readonly #gaps: string[] = [];
  #reconnects = 0;
  #cut: NodeJS.Timeout;

  private constructor(proxy: FaultyProxy, { symbol, cutEveryMs }: StreamWatchOptions) {
    this.#symbol = symbol;
    this.#proxy = proxy;
    this.#client = new VenueClient({ url: proxy.url });
    this.#channels = openChannels(this.#client, { retry: RETRY, onLost: () => (this.#reconnects += 1) });
    this.#cut = setInterval(() => proxy.cutStreams({ thenTake: true }), cutEveryMs);
  }

  /** Follows books of all expiries of an underlying, and its trades from the first on. */
  static async start(options: StreamWatchOptions): Promise<StreamWatch> {
    const watch = new StreamWatch(await FaultyProxy.start(options.url), options);
    await watch.#follow();
    return watch;
  }

  /** Waits until everything is there, ends, and returns what was shown. */
  async stop(): Promise<Shown> {
    clearInterval(this.#cut);
    const newest = (await this.#client.market.trades({ symbol: this.#symbol, limit: 1 }))[0]?.id ?? 0;
    await eventually('the last trade', () => (this.#trades.at(-1)?.id ?? 0) >= newest);
    await eventually('books that are right', () =>
      // A series that has expired is no longer known after a reconnect.
      this.#followed.every((book) => book.isRight || book.error !== null),
    );
    this.#channels.close();
    this.#proxy.stop();
    return {
      books: this.#books,
      trades: this.#trades,
      symbol: this.#symbol,
      reconnects: this.#reconnects,
      gaps: this.#gaps,
    };
  }

  async #follow(): Promise<void> {
    const series = await this.#client.market.series(this.#symbol);
    const step = Math.ceil(series.length / BOOKS_MAX);
    for (const { seriesId } of series.filter((_, i) => i % step === 0)) this.#followBook(seriesId);
    const onRight = this.#gapsOf(`trades:${this.#symbol}`);
    this.#channels.listen(`trades:${this.#symbol}`, { onMessage: () => {}, onRight });
    void this.#gatherTrades();
  }

  /** Call what it returns with whether a channel is right: on a connection that lasts it only stops being so by a gap. */
  #gapsOf(name: string): (isRight: boolean) => void {
    let wasRight = false;
    return (isRight) => {
      if (wasRight && !isRight && this.#channels.isLive) this.#gaps.push(name);
      wasRight = isRight;
    };
  }

  #followBook(seriesId: string): void {
    const book = this.#channels.book(seriesId);
    this.#followed.push(book);
    const onRight = this.#gapsOf(`book:${seriesId}`);
    let last = -1;
    book.onChange(() => {
      const { seq, bids, asks } = book;
      // One that is closed or refused ends, and misses nothing.
      if (book.error === null) onRight(book.isRight);
      if (seq === null || seq === last) return;
      last = seq;
      const rows = (levels: LocalBook['bids']) => levels.map(({ price, qty }) => [price, qty] as const);
      const shown = this.#books.get(seq) ?? [];
      this.#books.set(seq, [...shown, { seriesId, bids: rows(bids), asks: rows(asks) }]);
    });
  }

  async #gatherTrades(): Promise<void> {
    for await (const trade of this.#channels.trades(this.#symbol, { after: 0 })) this.#trades.push(trade);
  }
}
