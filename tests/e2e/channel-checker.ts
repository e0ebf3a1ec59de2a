/**
 * Follows channels through a load with cut connections, and compares what they give with reads at the same entry
 * (STR-2, STR-4): no difference, no gap, no duplicate.
 */

import assert from 'node:assert/strict';
import type { FillRecord, Trade } from '@venue/protocol';
import {
  type Channels,
  type LocalBook,
  openChannels,
  randomPrivateKey,
  VenueClient,
  walletFromPrivateKey,
} from '@venue/sdk';
import { bookOf } from '../../packages/exchange/test/channels.ts';
import type { Json, LocalVenue } from '../../packages/exchange/test/support.ts';
import { eventually } from './launched.ts';
import { FaultyProxy } from './sdk-proxy.ts';

const SERIES = 4;

export interface Checked {
  readonly entries: number;
  readonly reconnects: number;
  /** Books that were compared with a read of the same entry. */
  readonly compared: number;
  readonly fills: number;
}

interface Trader {
  readonly client: VenueClient;
  readonly fills: FillRecord[];
}

/** Runs as many rounds of load as are asked for, each with a cut of all connections at some moment. */
export async function checkChannels(
  venue: LocalVenue,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<Checked> {
  const proxy = await FaultyProxy.start(venue.url);
  const checker = new Checker(venue, proxy, randomOf(seed));
  try {
    return await checker.run(rounds);
  } finally {
    checker.close();
    proxy.stop();
  }
}

class Checker {
  readonly #venue: LocalVenue;
  readonly #proxy: FaultyProxy;
  readonly #random: (below: number) => number;
  readonly #traders: Trader[] = [];
  readonly #opened: Channels[] = [];
  readonly #trades: Trade[] = [];
  /** By series: every message of its book. */
  readonly #messages = new Map<string, Json[]>();
  #reconnects = 0;
  #compared = 0;

  constructor(venue: LocalVenue, proxy: FaultyProxy, random: (below: number) => number) {
    this.#venue = venue;
    this.#proxy = proxy;
    this.#random = random;
  }

  async run(rounds: number): Promise<Checked> {
    const series = await this.#series();
    for (const isSeller of [false, true]) this.#traders.push(await this.#trader(isSeller));
    const public_ = this.#open(new VenueClient({ url: this.#proxy.url }));
    const books = series.map(({ seriesId }) => public_.book(seriesId));
    for (const { seriesId } of series) this.#collect(public_, seriesId);
    void gather(public_.trades('BTC', { after: 0 }), this.#trades);
    const before = (await this.#venue.get('/v1/venue')).body.seq;
    for (let round = 0; round < rounds; round++) {
      await this.#load(series);
      await this.#compare(books);
    }
    const entries = (await this.#venue.get('/v1/venue')).body.seq - before;
    const fills = await this.#compareFills();
    return { entries, reconnects: this.#reconnects, compared: this.#compared, fills };
  }

  close(): void {
    for (const channels of this.#opened) channels.close();
  }

  async #series(): Promise<{ seriesId: string; sid: number }[]> {
    const { expiryTs } = await this.#venue.listed('BTC');
    const { body } = await this.#venue.get('/v1/series?symbol=BTC');
    return body.series
      .filter((row: Json) => row.expiryTs === expiryTs && row.right === 'C')
      .slice(18, 18 + SERIES);
  }

  async #trader(isSeller: boolean): Promise<Trader> {
    const client = new VenueClient({ url: this.#proxy.url });
    await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
    if (isSeller) await client.orders.setMargin(true);
    const trader = { client, fills: [] };
    const channels = this.#open(client);
    void gather(channels.fills({ after: 0 }), trader.fills);
    await eventually('the fills are followed', () => channels.isLive);
    return trader;
  }

  #open(client: VenueClient): Channels {
    const channels = openChannels(client, {
      retry: { firstMs: 50, limitMs: 200 },
      onLost: () => {
        this.#reconnects += 1;
      },
    });
    this.#opened.push(channels);
    return channels;
  }

  /** Messages follow each other, or begin again after a reconnect. */
  #collect(channels: Channels, seriesId: string): void {
    const messages: Json[] = [];
    this.#messages.set(seriesId, messages);
    void (async () => {
      for await (const message of channels.messages(`book:${seriesId}`)) messages.push(message);
    })();
  }

  /** Some writes to some series, and a cut among them. */
  async #load(series: readonly { seriesId: string; sid: number }[]): Promise<void> {
    const count = 4 + this.#random(12);
    const cutAt = this.#random(count);
    for (let i = 0; i < count; i++) {
      if (i === cutAt) this.#proxy.cutStreams({ thenTake: true });
      const { seriesId, sid } = series[this.#random(series.length)]!;
      const price = 100 + this.#random(20);
      const { client } = this.#traders[this.#random(2)]!;
      const what = this.#random(6);
      if (what === 0) {
        const bids = [[price - 30, 1 + this.#random(9)]];
        await this.#venue.quote({ rows: [[sid, bids, [[price + 30, 5]]]] });
      } else if (what === 1) await client.orders.cancelAll({ side: this.#random(2) === 0 ? 'buy' : 'sell' });
      else {
        const side = client === this.#traders[0]!.client ? 'buy' : 'sell';
        await client.orders.place({ seriesId, side, qty: (1 + this.#random(50)) / 100, price });
      }
    }
  }

  /** All is at rest, so the books are those of the last entry. */
  async #compare(books: readonly LocalBook[]): Promise<void> {
    for (const book of books) {
      const { body, headers } = await this.#venue.get(`/v1/book?seriesId=${book.seriesId}`);
      const seq = headers.get('x-venue-seq');
      const expected = JSON.stringify([body.bids, body.asks]);
      const shown = () => JSON.stringify([book.bids.slice(0, 12), book.asks.slice(0, 12)]);
      await eventually('the book is right', () => book.isRight && shown() === expected);
      const messages = this.#messages.get(book.seriesId)!;
      await eventually('its messages', () => messages.at(-1)?.seq === book.seq);
      const { bids, asks } = bookOf(messages);
      assert.equal(JSON.stringify([bids, asks]), expected, `book after entry ${seq}`);
      this.#compared += 1;
      assertFollow(messages, this.#reconnects);
    }
  }

  /** Each fill and each trade came once and in order. */
  async #compareFills(): Promise<number> {
    const all = new Map<number, FillRecord>();
    for (const { client, fills } of this.#traders) {
      const expected: FillRecord[] = [];
      for await (const fill of client.account.allFills()) expected.unshift(fill);
      await eventually('the last fill', () => fills.length >= expected.length);
      assert.deepEqual(fills, expected);
      for (const fill of fills) all.set(fill.id, fill);
    }
    const trades: Trade[] = [];
    for await (const trade of this.#traders[0]!.client.market.allTrades({ symbol: 'BTC' }))
      trades.unshift(trade);
    await eventually('the last trade', () => this.#trades.length >= trades.length);
    assert.deepEqual(this.#trades, trades);
    return all.size;
  }
}

function assertFollow(messages: readonly Json[], reconnects: number): void {
  const begun = messages.filter(({ type }) => type === 'snapshot').length;
  assert.ok(begun <= reconnects + 1, 'a snapshot comes only after a reconnect');
  for (const [i, { type, seq, prevSeq }] of messages.entries()) {
    if (type === 'delta') assert.equal(prevSeq, messages[i - 1].seq, `a gap before entry ${seq}`);
    if (i > 0) assert.ok(seq >= messages[i - 1].seq);
  }
}

async function gather<T>(items: AsyncIterable<T>, into: T[]): Promise<void> {
  for await (const item of items) into.push(item);
}

/** Numbers below a bound, the same for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
