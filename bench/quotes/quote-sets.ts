/**
 * Question: how many rows a second does the exchange apply that a maker pushes to a quote set of its own, signed, binary,
 * from HTTP to durable, beside the same rows through the unsigned route of the venue's maker; and how long does a push
 * take when four makers push at once, four times a second, beside 1,000 signed orders a second of others?
 *
 * A push is a whole symbol of 1,312 series with three levels each, all of which change. In the first part either route
 * gets its next push once the last is answered, by turns. In the second a push is due at a planned time, for all four
 * makers the same one, and is timed from then. Bare servers in processes of their own get the same bytes, by turns: one
 * only parses the pushes and answers, the other parses and verifies the orders. All processes share all cores.
 *
 * Every answer is checked: no row may be kept or declined. At the end so are the books, and again after a kill -9 and a
 * restart from the log. Traders take from the nearest quotes of some series; of these, the books before the kill and
 * after it are compared.
 */

import assert from 'node:assert/strict';
import type { MicrosLevel, Series } from '@venue/protocol';
import { connect, type Parts, withParts } from '../orders/rounds.ts';
import { WRITES_PER_ORDER } from '../orders/traders.ts';
import { Connection, Exchange, type Push, type Row } from '../shared/exchange.ts';
import { medianOf } from '../shared/median.ts';
import { BareServer } from './bare-process.ts';
import { binaryPush, SET_PATH, SetMaker, setRowsOf } from './set-maker.ts';

export interface QuoteSetsOptions {
  readonly traders: number;
  readonly connections: number;
  /** Rounds by turns, after one that warms up. */
  readonly rounds: number;
  readonly roundMs: number;
  readonly pacedRounds: number;
  readonly pacedMs: number;
  readonly ordersPerSecond: number;
}

const FULL: QuoteSetsOptions = {
  traders: 256,
  connections: 64,
  rounds: 5,
  roundMs: 1_000,
  pacedRounds: 3,
  pacedMs: 6_000,
  ordersPerSecond: 1_000,
};
const MAKERS = 4;
const PUSH_EVERY_MS = 250;
const RATIO_AIM = 0.6;
const P99_AIM_MS = 25;
/** Quotes stay through a long replay, and the makers' reserves are covered. */
const ENV = { VENUE_QUOTE_TTL_MS: '3600000', VENUE_PAPER_CASH: '10000000' };
const SMALL_MICROS = 20_000;
const LARGE_MICROS = 1_000_000;

/** Prints both parts and the two figures with aims; throws when a result is wrong. */
export async function run(): Promise<void> {
  const { speeds, ratio, pushTimes, haveTraded } = await measureQuoteSets(FULL);
  console.table(speeds);
  console.log(`signed to a set / unsigned of the maker: ${ratio.toFixed(2)} (aim ${RATIO_AIM})`);
  console.table(pushTimes);
  const [bare, exchange] = pushTimes;
  const times = (exchange!['p99 ms'] / bare!['p99 ms']).toFixed(1);
  console.log(
    `p99 of a push: ${exchange!['p99 ms']} ms (aim ${P99_AIM_MS}), ${times} times the bare server's`,
  );
  assert.ok(haveTraded.some(Boolean), 'the others have traded with the makers');
}

/** Ends every process it starts. */
export function measureQuoteSets(options: QuoteSetsOptions) {
  return withParts({ traders: options.traders, connections: 0, env: ENV }, async (parts) => {
    const bare = await BareServer.start();
    try {
      return await measure({ ...parts, bareQuotes: bare }, options);
    } finally {
      bare.end();
    }
  });
}

interface Sides extends Parts {
  readonly bareQuotes: BareServer;
}

async function measure(sides: Sides, options: QuoteSetsOptions) {
  const { exchange, venue } = sides;
  const series = await exchange.list();
  const makers = await Promise.all(Array.from({ length: MAKERS }, () => SetMaker.open(exchange.url, venue)));
  const saturated = await measureSpeeds(sides, series, makers[0]!, options);
  const traded = series.slice(0, tradedBooks(options));
  const untraded = (rows: readonly Row[]) => rows.slice(traded.length);
  await checkBooks(exchange, saturated.standing.map(untraded));
  const { pushTimes, standing } = await measurePaced(sides, series, makers, options);
  const all = [saturated.standing[0]!, ...standing].map(untraded);
  await checkBooks(exchange, all);
  const before = await booksOf(exchange, traded);
  const haveTraded = await Promise.all(makers.map((maker) => maker.hasTraded()));
  await exchange.kill();
  await checkAgain(exchange.logPath, all, traded, before);
  return { ...saturated, pushTimes, haveTraded };
}

/** The traders trade in the first so many series. */
function tradedBooks({ traders }: QuoteSetsOptions): number {
  return Math.max(4, traders / 4);
}

interface Timed {
  readonly rows: number;
  readonly timesMs: readonly number[];
}

/** One maker's pushes of all series over one connection, in two variants by turns. */
class Lane {
  readonly #connection: Connection;
  readonly #variants: readonly { readonly rows: readonly Row[]; readonly push: Push }[];
  readonly #maker: SetMaker | null;
  #next = 0;
  #sealed: Readonly<Record<string, string>>;

  constructor(connection: Connection, rows: readonly (readonly Row[])[], maker: SetMaker | null) {
    this.#connection = connection;
    this.#variants = rows.map((own) => ({ rows: own, push: binaryPush(own) }));
    this.#maker = maker;
    this.#sealed = this.#seal();
  }

  /** The rows of the last push. */
  get standing(): readonly Row[] {
    return this.#variants[(this.#next + 1) % 2]!.rows;
  }

  /** Signs the next push while this one is on its way, as a maker would who has its prices. */
  async send(): Promise<number> {
    const { rows, push } = this.#variants[this.#next]!;
    this.#next = (this.#next + 1) % 2;
    const answering = this.#connection.push(push, this.#sealed);
    this.#sealed = this.#seal();
    const { applied, kept, errors, rowErrors } = await answering;
    assert.deepEqual([applied, kept, errors], [rows.length, 0, 0], JSON.stringify(rowErrors));
    return rows.length;
  }

  /** Signs again what is to be sent next, as a signature is good for a minute. */
  renew(): void {
    this.#sealed = this.#seal();
  }

  #seal(): Readonly<Record<string, string>> {
    return this.#maker?.sign(this.#variants[this.#next]!.push) ?? {};
  }
}

const small = () => SMALL_MICROS;

async function measureSpeeds(
  sides: Sides,
  series: readonly Series[],
  maker: SetMaker,
  options: QuoteSetsOptions,
) {
  const { exchange, bareQuotes } = sides;
  const headers = await exchange.maker();
  const own = [0, 1].map((variant) => setRowsOf(series, variant, small));
  const signed = [2, 3].map((variant) => setRowsOf(series, variant, small));
  const bareOf = () => new Connection(bareQuotes.url, {}, SET_PATH);
  const lanes = [
    { route: "the maker's, unsigned", lane: new Lane(new Connection(exchange.url, headers), own, null) },
    { route: 'a set, signed', lane: new Lane(new Connection(exchange.url, {}, SET_PATH), signed, maker) },
    { route: 'bare server, signed bytes', lane: new Lane(bareOf(), signed, maker) },
  ].map((one) => ({ ...one, rates: [] as number[], timesMs: [] as number[] }));
  for (let round = 0; round <= options.rounds; round++) {
    for (const { lane, rates, timesMs } of lanes) {
      lane.renew();
      const startMs = performance.now();
      const timed = await saturate(lane, options.roundMs);
      if (round === 0) continue;
      rates.push((timed.rows * 1_000) / (performance.now() - startMs));
      timesMs.push(...timed.timesMs);
    }
  }
  const [unsigned, set] = lanes;
  return {
    speeds: lanes.map(({ route, rates, timesMs }) => ({
      route,
      'rows/s, median': Math.round(medianOf(rates)),
      'slowest round': Math.round(Math.min(...rates)),
      ...percentiles(timesMs),
    })),
    // Of rounds that follow each other, so that other load on the machine weighs on both.
    ratio: medianOf(set!.rates.map((rate, i) => rate / unsigned!.rates[i]!)),
    standing: [unsigned!.lane.standing, set!.lane.standing],
  };
}

async function saturate(lane: Lane, forMs: number): Promise<Timed> {
  const untilMs = performance.now() + forMs;
  const timesMs: number[] = [];
  let rows = 0;
  for (let sentMs = performance.now(); sentMs < untilMs; sentMs = performance.now()) {
    rows += await lane.send();
    timesMs.push(performance.now() - sentMs);
  }
  return { rows, timesMs };
}

async function measurePaced(
  sides: Sides,
  series: readonly Series[],
  makers: readonly SetMaker[],
  options: QuoteSetsOptions,
) {
  const { exchange, bareQuotes, load } = sides;
  const books = tradedBooks(options);
  // What the traders take within a push leaves a quote standing.
  const qtyOf = (i: number) => (i < books ? LARGE_MICROS : SMALL_MICROS);
  const lanesTo = (url: string) =>
    makers.map((maker, m) => {
      const rows = [0, 1].map((k) => setRowsOf(series, 4 + 2 * m + k, qtyOf));
      return new Lane(new Connection(url, {}, SET_PATH), rows, maker);
    });
  const targets = [
    { name: 'bare', lanes: lanesTo(bareQuotes.url), timesMs: [] as number[] },
    { name: 'exchange', lanes: lanesTo(exchange.url), timesMs: [] as number[] },
  ] as const;
  const writesPerSecond = options.ordersPerSecond * WRITES_PER_ORDER;
  for (let round = 0; round <= options.pacedRounds; round++) {
    for (const { name, lanes, timesMs } of targets) {
      await load.ask('sign', Math.round((writesPerSecond * options.pacedMs) / 1_000));
      await connect(sides, name, options.connections);
      for (const lane of lanes) lane.renew();
      const orders = load.ask('pace', name, writesPerSecond);
      const startMs = performance.now();
      const pushes = lanes.map((lane) => pace(lane, startMs, options.pacedMs));
      const times = (await Promise.all(pushes)).flat();
      await orders;
      if (round > 0) timesMs.push(...times);
    }
  }
  return {
    pushTimes: targets.map(({ name, timesMs }) => ({
      server: name,
      pushes: timesMs.length,
      ...percentiles(timesMs),
      'longest ms': round1(Math.max(...timesMs)),
    })),
    standing: targets[1].lanes.map(({ standing }) => standing),
  };
}

/** Times of pushes from when they were due; one whose connection is busy waits, and the wait counts. */
async function pace(lane: Lane, startMs: number, forMs: number): Promise<number[]> {
  const timesMs: number[] = [];
  for (let dueMs = startMs + PUSH_EVERY_MS; dueMs < startMs + forMs; dueMs += PUSH_EVERY_MS) {
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    await lane.send();
    timesMs.push(performance.now() - dueMs);
  }
  return timesMs;
}

/** Every book has exactly the levels of these ladders together; they share no price. */
async function checkBooks({ client }: Exchange, ladders: readonly (readonly Row[])[]): Promise<void> {
  for (const [i, { seriesId }] of ladders[0]!.entries()) {
    const book = await client.market.book(seriesId);
    const of = (side: 'bids' | 'asks', sign: number) =>
      ladders.flatMap((rows) => [...rows[i]![side]]).sort(([a], [b]) => sign * (a - b));
    assert.deepEqual([levelsOf(book.bids), levelsOf(book.asks)], [of('bids', -1), of('asks', 1)], seriesId);
  }
}

function levelsOf(levels: readonly { price: number; qty: number }[]): MicrosLevel[] {
  return levels.map(({ price, qty }) => [Math.round(price * 1e6), Math.round(qty * 1e6)]);
}

async function booksOf({ client }: Exchange, series: readonly Series[]) {
  const books = [];
  for (const { seriesId } of series) {
    const { bids, asks } = await client.market.book(seriesId);
    books.push({ seriesId, bids: levelsOf(bids), asks: levelsOf(asks) });
  }
  return books;
}

async function checkAgain(
  logPath: string,
  ladders: readonly (readonly Row[])[],
  traded: readonly Series[],
  before: Awaited<ReturnType<typeof booksOf>>,
): Promise<void> {
  const exchange = await Exchange.start(logPath, ENV);
  try {
    await checkBooks(exchange, ladders);
    assert.deepEqual(await booksOf(exchange, traded), before);
    const seconds = (exchange.startMs / 1_000).toFixed(1);
    const count = ladders[0]!.length + traded.length;
    console.log(`${count} books checked; again after kill -9 and a replay, a start of ${seconds} s`);
  } finally {
    exchange.end();
  }
}

function percentiles(timesMs: readonly number[]) {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number) => round1(sorted[Math.floor(sorted.length * share)]!);
  return { 'p50 ms': at(0.5), 'p99 ms': at(0.99) };
}

function round1(ms: number): number {
  return Number(ms.toFixed(1));
}
