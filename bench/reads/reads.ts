/**
 * Question: how many reads a second does the exchange answer, of the chain of a full expiry, of a book of twelve levels
 * per side, and of an account with 500 resting orders, both while nothing changes and while a maker changes every
 * series four times a second, and how long does one take at half of that rate? For comparison, in the same run and
 * alternating, a bare Node HTTP server in a separate process sends the very same bytes, prepared in advance.
 *
 * The load comes from a separate process over keep-alive connections. Every answer is compared, byte for byte, with the
 * bodies it may have, and these with what was pushed and traded. Times count from the planned send.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '../shared/child.ts';
import { getOf, type Headers, RawConnection } from '../shared/connection.ts';
import { withFolder } from '../shared/exchange.ts';
import { cpuMsOf, WatchedExchange } from '../shared/exchange-process.ts';
import type { BareAnswer } from './bare.ts';
import { Market, SYMBOL, type Variant } from './market.ts';
import { type Read, Rounds, type Server } from './rounds.ts';

const PUSH_EVERY_MS = 250;

export interface ReadsOptions {
  readonly strikesPerSide: number;
  readonly openOrders: number;
  /** Rounds that count; one more before them is warm-up. */
  readonly rounds: number;
  readonly roundMs: number;
  readonly connections: number;
  /** More variables for the exchange. */
  readonly env?: Readonly<Record<string, string>>;
}

const FULL: ReadsOptions = {
  strikesPerSide: 20,
  openOrders: 500,
  rounds: 3,
  roundMs: 600,
  connections: 16,
};

/**
 * Prints and returns reads a second and read times, for the exchange and the bare server; throws when an answer is
 * wrong.
 */
export async function run(options: ReadsOptions = FULL): Promise<ReadsRow[]> {
  const rows: ReadsRow[] = [];
  await withFolder(async (folder) => {
    const exchange = await WatchedExchange.start({
      logPath: join(folder, 'venue.db'),
      symbols: `${SYMBOL}:crypto`,
      env: { ...options.env, VENUE_STRIKES_PER_SIDE: `${options.strikesPerSide}` },
    });
    const [bare, load] = [
      Child.fork(new URL('./bare.ts', import.meta.url)),
      Child.fork(new URL('./load.ts', import.meta.url)),
    ];
    try {
      const market = await Market.open(exchange, options.openOrders);
      const bench = new Bench({ options, exchange, market, bare, load });
      rows.push(...(await bench.measureAll()));
      market.close();
      await exchange.stop();
    } finally {
      exchange.end();
      bare.end();
      load.end();
    }
  });
  console.table(rows);
  return rows;
}

export type ReadsRow = Readonly<Record<string, number | string>>;

class Bench {
  readonly #options: ReadsOptions;
  readonly #exchange: WatchedExchange;
  readonly #market: Market;
  readonly #bare: Child;
  readonly #load: Child;
  #variant: Variant = 0;

  constructor(parts: {
    options: ReadsOptions;
    exchange: WatchedExchange;
    market: Market;
    bare: Child;
    load: Child;
  }) {
    this.#options = parts.options;
    this.#exchange = parts.exchange;
    this.#market = parts.market;
    this.#bare = parts.bare;
    this.#load = parts.load;
  }

  async measureAll(): Promise<ReadsRow[]> {
    const reads = this.#reads();
    const bodies = new Map<Read, Buffer[]>();
    const answers = new Map<string, BareAnswer>();
    for (const read of reads) {
      const body = await this.#learn(read, 0);
      answers.set(read.path, { headers: await this.#headersOf(read), body });
      bodies.set(read, [body, await this.#learn(read, 1)]);
    }
    const bareUrl = await this.#bare.ask<string>(answers);
    const bare: Server = { url: bareUrl, cpuMs: () => cpuMsOf(this.#bare.pid) };
    const rows: ReadsRow[] = [];
    for (const read of reads)
      for (const changes of [false, true])
        rows.push(await this.#measure(read, { bare, changes, bodies: bodies.get(read)! }));
    return rows;
  }

  #reads(): Read[] {
    const { expiryTs, bookSeriesId, token } = this.#market;
    return [
      {
        name: 'chain',
        path: `/v1/chain?symbol=${SYMBOL}&expiryTs=${expiryTs}`,
        headers: {},
        check: (body, variant) => this.#market.expectChain(JSON.parse(body), variant),
      },
      {
        name: 'book',
        path: `/v1/book?seriesId=${bookSeriesId}`,
        headers: {},
        check: (body, variant) => this.#market.expectBook(JSON.parse(body), variant),
      },
      {
        name: `me, ${this.#market.openOrders} orders`,
        path: '/v1/me',
        headers: { 'x-paper-token': token },
        check: (body, variant) => this.#market.expectAccount(JSON.parse(body), variant),
      },
    ];
  }

  /** Moves the market to a state and returns the body of a read in it, checked. */
  async #learn(read: Read, variant: Variant): Promise<Buffer> {
    await this.#push(variant);
    const connection = await RawConnection.open(this.#exchange.url);
    const { status, body } = await connection.send(getOf(read.path, read.headers));
    connection.close();
    assert.equal(status, 200, `${body}`);
    read.check(body.toString(), variant);
    return Buffer.from(body);
  }

  /** The exchange's headers, except those Node writes by itself. */
  async #headersOf({ path, headers }: Read): Promise<Headers> {
    const answer = await fetch(`${this.#exchange.url}${path}`, {
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    await answer.arrayBuffer();
    const own = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
    return Object.fromEntries(own);
  }

  async #push(variant: Variant): Promise<void> {
    await this.#market.push(variant);
    this.#variant = variant;
  }

  async #measure(read: Read, { bare, changes, bodies }: Case): Promise<ReadsRow> {
    await this.#push(0);
    const allowed = changes ? bodies : bodies.slice(0, 1);
    const exchange: Server = { url: this.#exchange.url, cpuMs: () => this.#exchange.cpuMs };
    const common = { ...this.#options, read, load: this.#load };
    const ours = new Rounds({
      ...common,
      server: exchange,
      bodies: allowed,
      during: changes ? (load) => this.#whilePushing(load) : (load) => load(),
    });
    const peer = new Rounds({ ...common, server: bare, bodies, during: (load) => load() });
    for (let i = 0; i <= this.#options.rounds; i++) for (const one of [ours, peer]) await one.saturate(i > 0);
    const half = ours.measured.perSecond / 2;
    for (let i = 0; i < this.#options.rounds / 2; i++) for (const one of [ours, peer]) await one.pace(half);
    read.check(await this.#now(read), this.#variant);
    return rowOf({ read, changes, bytes: bodies[0]!.length, half, ours, peer });
  }

  async #now({ path, headers }: Read): Promise<string> {
    const answer = await fetch(`${this.#exchange.url}${path}`, {
      headers: { ...headers, 'accept-encoding': 'identity' },
    });
    return answer.text();
  }

  /** Pushes at planned times until the work is done. */
  async #whilePushing<T>(work: () => Promise<T>): Promise<T> {
    const startMs = performance.now();
    let isDone = false;
    const pushing = (async () => {
      for (let n = 0; !isDone; n++) {
        await this.#push(this.#variant === 0 ? 1 : 0);
        await sleep(Math.max(0, startMs + (n + 1) * PUSH_EVERY_MS - performance.now()));
      }
    })();
    // A failed push is reported at the end.
    pushing.catch(() => {});
    try {
      return await work();
    } finally {
      isDone = true;
      await pushing;
    }
  }
}

interface Case {
  readonly bare: Server;
  readonly changes: boolean;
  readonly bodies: readonly Buffer[];
}

function rowOf(of: {
  read: Read;
  changes: boolean;
  bytes: number;
  half: number;
  ours: Rounds;
  peer: Rounds;
}): ReadsRow {
  const [ours, peer] = [of.ours.measured, of.peer.measured];
  return {
    read: of.read.name,
    quotes: of.changes ? 'change' : 'stand',
    bytes: of.bytes,
    'reads/s': Math.round(ours.perSecond),
    'bare reads/s': Math.round(peer.perSecond),
    '% of bare': Math.round((100 * ours.perSecond) / peer.perSecond),
    'CPU µs': Math.round(ours.cpuUs),
    'bare CPU µs': Math.round(peer.cpuUs),
    'load CPU %': Math.round(100 * ours.loadShare),
    'bare load CPU %': Math.round(100 * peer.loadShare),
    'half load/s': Math.round(of.half),
    'p50 ms': Number(of.ours.timeMs(0.5).toFixed(2)),
    'p99 ms': Number(of.ours.timeMs(0.99).toFixed(2)),
    'bare p50': Number(of.peer.timeMs(0.5).toFixed(2)),
    'bare p99': Number(of.peer.timeMs(0.99).toFixed(2)),
  };
}

if (import.meta.main) await run();
