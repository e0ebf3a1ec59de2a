/**
 * Question: what does a delta cost a follower that has 5,000 clients, each with 20 books and the chain of a symbol that
 * moves four times a second in full, beside a bare process that sends the same bytes; how late do deltas arrive, what
 * memory does a client take, and what does an order cost over the exchange's own stream?
 *
 * A move is one push of all 82 series of an expiry to the exchange at its planned moment. Each message is timed from then
 * to its arrival, with the way over the log and the follower's own tick of 50 ms in it. All clients are in one process
 * and count their messages, 21 a move; fewer where two moves came in one. One more client of the follower keeps the books
 * with the SDK, and compares them with the exchange's `GET /v1/book` at the end of each round. The bare process sends the
 * messages of one move again and again, with other quantities.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Series } from '@venue/protocol';
import { type Channels, type LocalBook, openChannels } from '@venue/sdk';
import { eventually } from '../../tests/e2e/launched.ts';
import { Child } from '../shared/child.ts';
import { SECRETS, withFolder } from '../shared/exchange.ts';
import { cpuMsOf, WatchedExchange, WatchedFollower } from '../shared/exchange-process.ts';
import { sharedMs } from '../streams/plan.ts';
import type { BareOrder } from './bare.ts';
import type { ClientsOrder, ClientsReport } from './clients.ts';
import { measureOrders, type OrdersOptions } from './orders.ts';
import { BOOKS, MESSAGES, MOVE_MS, qtyOf, TICK_MS } from './plan.ts';
import { ChannelSocket, textOf } from './socket.ts';

export interface ChannelsOptions {
  readonly clients: number;
  readonly moves: number;
  /** Rounds that count; one more before them is warm-up. */
  readonly rounds: number;
  readonly orders: OrdersOptions;
  /** Additional environment variables for the exchange. */
  readonly env?: Readonly<Record<string, string>>;
}

const FULL: ChannelsOptions = {
  ...{ clients: 5_000, moves: 20, rounds: 3 },
  orders: { connections: 40, batches: 60 },
};

const SYMBOL = 'COIN';
const SPOT = 100;
const LEAD_MS = 200;
const SETTLE_MS = 10_000;
const QUIET_MS = 1_000;

export type ChannelsRow = Readonly<Record<string, number | string>>;

interface Watched {
  readonly exchange: WatchedExchange;
  readonly follower: WatchedFollower;
}

interface Round extends ClientsReport {
  readonly serverCpuMs: number;
}

/** Prints what was measured and returns it; throws when a message is wrong. */
export async function run(options: ChannelsOptions = FULL): Promise<ChannelsRow[]> {
  const rows: ChannelsRow[] = [];
  await withFolder(async (folder) => {
    const logPath = join(folder, 'venue.db');
    const env = { VENUE_STREAM_TICK_MS: String(TICK_MS), ...options.env };
    const exchange = await WatchedExchange.start({ logPath, symbols: `${SYMBOL}:crypto`, env });
    try {
      rows.push(...(await measureAll(exchange, logPath, options)));
    } finally {
      exchange.end();
    }
  });
  console.table(rows);
  return rows;
}

async function measureAll(
  exchange: WatchedExchange,
  logPath: string,
  options: ChannelsOptions,
): Promise<ChannelsRow[]> {
  const env = { VENUE_STREAM_TICK_MS: String(TICK_MS) };
  const follower = await WatchedFollower.start({ logPath, env });
  try {
    const bench = await Bench.open({ exchange, follower }, options);
    const rows = [await bench.measure('follower', false), await bench.measure('deflated', true)];
    const { http, stream } = await measureOrders(exchange, bench.seriesIds[0]!, options.orders);
    console.log(
      `a batch costs the main thread ${Math.round(http)} µs over HTTP, ${Math.round(stream)} µs over the stream`,
    );
    rows.push(await measureBare(options, await bench.bytesOfMove()));
    await bench.close();
    await exchange.stop();
    return rows;
  } finally {
    follower.end();
  }
}

class Bench {
  readonly seriesIds: readonly string[];
  readonly #exchange: WatchedExchange;
  readonly #follower: WatchedFollower;
  readonly #options: ChannelsOptions;
  readonly #series: readonly Series[];
  readonly #push: (move: number) => Promise<void>;
  readonly #channels: Channels;
  readonly #books: readonly LocalBook[];
  #moves = 0;

  private constructor(
    { exchange, follower }: Watched,
    options: ChannelsOptions,
    { series, push }: { readonly series: readonly Series[]; readonly push: (move: number) => Promise<void> },
  ) {
    this.#exchange = exchange;
    this.#follower = follower;
    this.#options = options;
    this.#series = series;
    this.#push = push;
    this.seriesIds = series.map(({ seriesId }) => seriesId);
    this.#channels = openChannels(follower.client);
    this.#books = this.seriesIds.map((seriesId) => this.#channels.book(seriesId));
  }

  /** Lists and quotes the symbol at the exchange, and listens to the follower. */
  static async open(watched: Watched, options: ChannelsOptions): Promise<Bench> {
    const { exchange } = watched;
    await exchange.print(new Map([[SYMBOL, SPOT]]));
    const all = await exchange.listed(SYMBOL);
    const { expiryTs } = all[Math.floor(all.length / 2)]!;
    const series = all.filter((one) => one.expiryTs === expiryTs);
    const maker = exchange.client.maker(SECRETS.VENUE_MAKER_TOKEN);
    const { session } = await maker.session('channels');
    const push = async (move: number) => {
      const rows = series.map(({ sid }): Parameters<typeof maker.quotes>[1][number] => [
        sid,
        [[4, qtyOf(move)]],
        [[5, qtyOf(move)]],
      ]);
      const { applied } = await maker.quotes(session, rows);
      assert.equal(applied, series.length);
    };
    await push(0);
    const bench = new Bench(watched, options, { series, push });
    await Promise.all(bench.#books.map((book) => book.right()));
    return bench;
  }

  async measure(name: string, isDeflating: boolean): Promise<ChannelsRow> {
    const clients = Child.fork(new URL('./clients.ts', import.meta.url));
    try {
      const perClient = await this.#connect(clients, isDeflating);
      const rounds: Round[] = [];
      for (let i = 0; i <= this.#options.rounds; i++) {
        const round = await this.#round(clients, i);
        if (i > 0) rounds.push(round);
      }
      return {
        ...rowOf(name, this.#options, rounds),
        'KiB a client': Number((perClient / 1_024).toFixed(1)),
      };
    } finally {
      clients.end();
      await sleep(QUIET_MS);
    }
  }

  /** The messages of one move as they are sent. */
  async bytesOfMove(): Promise<{ books: Buffer[]; chain: Buffer }> {
    const found = new Map<string, Buffer>();
    const onMessage = (frame: Buffer) => {
      const { channel, type } = JSON.parse(textOf(frame)) as { channel?: string; type?: string };
      if (channel !== undefined && type === 'delta') found.set(channel, Buffer.from(frame));
    };
    const names = [...this.seriesIds.map((seriesId) => `book:${seriesId}`), this.#chain];
    const request = JSON.stringify({ id: 1, op: 'subscribe', channels: names });
    const socket = await ChannelSocket.open({
      url: this.#follower.url,
      isDeflating: false,
      request,
      onMessage,
    });
    await eventually('the snapshots', () => socket.messages > names.length);
    this.#moves += 1;
    await this.#push(this.#moves);
    await eventually('the deltas', () => found.size === names.length);
    socket.close();
    return { books: names.slice(0, -1).map((name) => found.get(name)!), chain: found.get(this.#chain)! };
  }

  async close(): Promise<void> {
    this.#channels.close();
    await this.#follower.stop();
  }

  get #chain(): string {
    return `chain:${SYMBOL}:${this.#series[0]!.expiryTs}`;
  }

  /** Returns the memory of a client, measured on the second half: the first fits into memory that is free already. */
  async #connect(clients: Child, isDeflating: boolean): Promise<number> {
    const half = Math.floor(this.#options.clients / 2);
    const order = { do: 'connect', url: this.#follower.url, isDeflating } as const;
    const channels = { books: this.seriesIds, chain: this.#chain };
    await clients.ask({ ...order, ...channels, count: this.#options.clients - half } satisfies ClientsOrder);
    await sleep(QUIET_MS);
    const before = this.#follower.residentBytes;
    await clients.ask({ ...order, ...channels, count: half } satisfies ClientsOrder);
    await sleep(QUIET_MS);
    return (this.#follower.residentBytes - before) / half;
  }

  async #round(clients: Child, round: number): Promise<Round> {
    const { moves, rounds } = this.#options;
    // Rounds begin at different phases of the follower's tick.
    const startMs = sharedMs() + LEAD_MS + (round / (rounds + 1)) * TICK_MS;
    await clients.ask({ do: 'expect', startMs, moves, first: this.#moves + 1 } satisfies ClientsOrder);
    const cpuBefore = this.#follower.cpuMs;
    for (let i = 0; i < moves; i++) {
      await sleep(Math.max(0, startMs + i * MOVE_MS - sharedMs()));
      this.#moves += 1;
      await this.#push(this.#moves);
    }
    const report = await clients.ask<ClientsReport>({
      do: 'settle',
      limitMs: SETTLE_MS,
    } satisfies ClientsOrder);
    const serverCpuMs = this.#follower.cpuMs - cpuBefore;
    assert.equal(report.closed, 0, 'a client was closed');
    await this.#compare();
    return { ...report, serverCpuMs };
  }

  async #compare(): Promise<void> {
    for (const book of this.#books.slice(0, BOOKS)) {
      const { bids, asks } = await this.#exchange.client.market.book(book.seriesId);
      const expected = JSON.stringify([bids, asks]);
      await eventually('the book', () => book.isRight && JSON.stringify([book.bids, book.asks]) === expected);
    }
  }
}

async function measureBare(
  options: ChannelsOptions,
  bytes: { readonly books: readonly Buffer[]; readonly chain: Buffer },
): Promise<ChannelsRow> {
  const [bare, clients] = [
    Child.fork(new URL('./bare.ts', import.meta.url)),
    Child.fork(new URL('./clients.ts', import.meta.url)),
  ];
  try {
    const url = await bare.ask<string>({ do: 'listen' } satisfies BareOrder);
    const { clients: count, moves } = options;
    const connect = { do: 'connect', url, count, isDeflating: false, books: [], chain: '' } as const;
    await clients.ask(connect satisfies ClientsOrder);
    const rounds: Round[] = [];
    for (let i = 0; i <= options.rounds; i++) {
      const startMs = sharedMs() + LEAD_MS;
      await clients.ask({ do: 'expect', startMs, moves, first: 0 } satisfies ClientsOrder);
      const cpuBefore = cpuMsOf(bare.pid);
      await bare.ask({ do: 'send', startMs, moves, ...bytes } satisfies BareOrder);
      const limitMs = LEAD_MS + moves * MOVE_MS + SETTLE_MS;
      const report = await clients.ask<ClientsReport>({ do: 'settle', limitMs } satisfies ClientsOrder);
      if (i > 0) rounds.push({ ...report, serverCpuMs: cpuMsOf(bare.pid) - cpuBefore });
    }
    return rowOf('bare', options, rounds);
  } finally {
    bare.end();
    clients.end();
  }
}

function rowOf(server: string, { clients, moves }: ChannelsOptions, rounds: readonly Round[]): ChannelsRow {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const most = (of: (round: Round) => number) => Math.round(Math.max(...rounds.map(of)));
  const messages = sum((round) => round.messages);
  const elapsedMs = rounds.length * moves * MOVE_MS;
  return {
    ...{ server, clients, messages },
    missing: sum(({ missing }) => missing),
    'MB/s': Math.round(sum(({ bytes }) => bytes) / elapsedMs / 1_000),
    'CPU µs a delta': Number(((1e3 * sum(({ serverCpuMs }) => serverCpuMs)) / messages).toFixed(2)),
    'CPU %': Math.round((100 * sum(({ serverCpuMs }) => serverCpuMs)) / elapsedMs),
    'p50 ms': most(({ p50Ms }) => p50Ms),
    'p99 ms': most(({ p99Ms }) => p99Ms),
    'longest ms': most(({ longestMs }) => longestMs),
    'late %': Number(Math.max(...rounds.map(({ latePercent }) => latePercent)).toFixed(2)),
    'clients CPU %': Math.round((100 * sum(({ cpuMs }) => cpuMs)) / elapsedMs),
  };
}

if (import.meta.main) {
  console.log(`a move is ${MESSAGES} messages for each client, four times a second`);
  await run();
}
