/**
 * Question: how many rows a second of a market maker's pushes does the exchange apply, from HTTP to durable, in each of
 * the three wire forms, and how long does a push take? For comparison, in the same run and over as many connections, a
 * bare server in a separate process only parses the same bodies and answers.
 *
 * Every row changes every level of its series. A connection sends its next push once the last is answered, as the maker
 * does. Every answer is checked, and at the end every book, including after a kill -9 and a restart from the log.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { MicrosLevel, Series } from '@venue/protocol';
import {
  Connection,
  Exchange,
  type Form,
  type Push,
  pushOf,
  type Row,
  rowsOf,
  SERIES,
  withFolder,
} from '../shared/exchange.ts';
import { BareServer } from './bare-process.ts';

const FORMS: readonly Form[] = ['compact', 'verbose', 'binary'];
/** Rows per push, and connections, each with its own series. */
const CASES = [
  { rows: 500, connections: 1 },
  { rows: SERIES, connections: 1 },
  { rows: SERIES / 4, connections: 4 },
] as const;
const ROUNDS = 5;
const ROUND_MS = 1_000;
/** Otherwise the quotes of a maker silent during a long replay would be pulled before they are checked. */
const QUOTES_STAY = { VENUE_QUOTE_TTL_MS: '3600000' };

type Case = (typeof CASES)[number];
/** The address for pushes, and their headers. */
interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Targets {
  readonly exchange: Target;
  readonly bare: Target;
}

/** Prints rows a second and push times, for the exchange and the bare server; throws when a result is wrong. */
export async function run(): Promise<void> {
  await withFolder(async (folder) => {
    const exchange = await Exchange.start(join(folder, 'venue.db'), QUOTES_STAY);
    const bare = await BareServer.start();
    try {
      const series = await exchange.list();
      const ours = { url: exchange.url, headers: await exchange.maker() };
      const standing = await measureAll({ exchange: ours, bare: { url: bare.url, headers: {} } }, series);
      await checkBooks(exchange, standing);
      await exchange.kill();
      await checkAgain(exchange.logPath, standing);
    } finally {
      exchange.end();
      bare.end();
    }
  });
}

async function measureAll(targets: Targets, series: readonly Series[]): Promise<Map<string, Row>> {
  const standing = new Map<string, Row>();
  const rows = [];
  for (const one of CASES) {
    const runs = FORMS.map((form) => ({ form, ...runsOf(targets, lanesOf(one, form, series)) }));
    // Alternating, so that other load on the machine affects all of them alike.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { exchange, bare } of runs) for (const run of [exchange, bare]) await run.round(round > 0);
    }
    for (const { form, exchange, bare } of runs) {
      for (const row of exchange.standing) standing.set(row.seriesId, row);
      rows.push({
        'rows a push': one.rows,
        connections: one.connections,
        form,
        'bytes a row': exchange.bytesPerRow,
        ...exchange.speed,
        'bare rows/s': bare.speed['rows/s'],
        'bare p50 ms': bare.speed['p50 ms'],
      });
    }
  }
  console.table(rows);
  return standing;
}

function runsOf({ exchange, bare }: Targets, chunks: readonly (readonly Chunk[])[]) {
  return { exchange: new Run(exchange, chunks), bare: new Run(bare, chunks) };
}

/** One form of one case against one server, measured in rounds. */
class Run {
  readonly #target: Target;
  readonly #lanes: readonly Lane[];
  readonly #timesMs: number[] = [];
  readonly #rates: number[] = [];

  constructor(target: Target, chunks: readonly (readonly Chunk[])[]) {
    this.#target = target;
    this.#lanes = chunks.map((own) => new Lane(own));
  }

  /** The rows that the answered pushes leave on the books, the last one last. */
  get standing(): Row[] {
    return this.#lanes.flatMap((lane) => lane.standing);
  }

  get bytesPerRow(): number {
    return Math.round(this.#lanes[0]!.bytesPerRow);
  }

  /** The median round's rows, and all push times. */
  get speed(): Speed {
    const timesMs = this.#timesMs.toSorted((a, b) => a - b);
    const at = (share: number) => Number(timesMs[Math.floor(timesMs.length * share)]!.toFixed(1));
    const rates = this.#rates.toSorted((a, b) => a - b);
    return { 'rows/s': Math.round(rates[rates.length >> 1]!), 'p50 ms': at(0.5), 'p99 ms': at(0.99) };
  }

  /** Pushes over all connections for a while; the first round is warm-up. */
  async round(counts: boolean): Promise<void> {
    const startMs = performance.now();
    const timesMs: number[] = [];
    let rows = 0;
    const drive = async (lane: Lane): Promise<void> => {
      const connection = new Connection(this.#target.url, this.#target.headers);
      let sentMs = performance.now();
      while (sentMs - startMs < ROUND_MS) {
        const applied = await lane.send(connection);
        rows += applied;
        const doneMs = performance.now();
        timesMs.push(doneMs - sentMs);
        sentMs = doneMs;
      }
      connection.close();
    };
    await Promise.all(this.#lanes.map(drive));
    if (!counts) return;
    this.#timesMs.push(...timesMs);
    this.#rates.push((rows * 1_000) / (performance.now() - startMs));
  }
}

interface Speed {
  readonly 'rows/s': number;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
}

interface Chunk {
  readonly rows: readonly Row[];
  readonly push: Push;
}

/** The repeating pushes of one connection: each series in one variant, then each in the other. */
class Lane {
  readonly #chunks: readonly Chunk[];
  #next = 0;
  readonly #standing = new Map<number, Row>();

  constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks;
  }

  get bytesPerRow(): number {
    const { rows, push } = this.#chunks[0]!;
    return push.body.length / rows.length;
  }

  /** The rows that the answered pushes leave on the books. */
  get standing(): Row[] {
    return [...this.#standing.values()];
  }

  /** Sends the next push and returns its number of rows; throws unless all of them were applied. */
  async send(connection: Connection): Promise<number> {
    const { rows, push } = this.#chunks[this.#next]!;
    this.#next = (this.#next + 1) % this.#chunks.length;
    const { applied, kept, errors } = await connection.push(push);
    assert.deepEqual([applied, kept, errors], [rows.length, 0, 0]);
    for (const row of rows) this.#standing.set(row.sid, row);
    return rows.length;
  }
}

function lanesOf({ rows, connections }: Case, form: Form, series: readonly Series[]): Chunk[][] {
  // Distinct prices, so that a push after one of another form changes all of them too.
  const first = 2 * (CASES.findIndex((one) => one.rows === rows) * FORMS.length + FORMS.indexOf(form));
  const share = SERIES / connections;
  return Array.from({ length: connections }, (_, lane) => {
    const own = series.slice(lane * share, (lane + 1) * share);
    return [first, first + 1].flatMap((variant) => {
      const all = rowsOf(own, variant);
      const whole = Array.from({ length: Math.floor(own.length / rows) }, (_, k) =>
        all.slice(k * rows, (k + 1) * rows),
      );
      return whole.map((some): Chunk => ({ rows: some, push: pushOf(form, some) }));
    });
  });
}

/** Every book has the levels of the last answered push. */
async function checkBooks({ client }: Exchange, standing: ReadonlyMap<string, Row>): Promise<void> {
  assert.equal(standing.size, SERIES);
  for (const [seriesId, { bids, asks }] of standing) {
    const book = await client.market.book(seriesId);
    assert.deepEqual([levelsOf(book.bids), levelsOf(book.asks)], [bids, asks], seriesId);
  }
}

function levelsOf(levels: readonly { price: number; qty: number }[]): MicrosLevel[] {
  return levels.map(({ price, qty }) => [Math.round(price * 1e6), Math.round(qty * 1e6)]);
}

async function checkAgain(logPath: string, standing: ReadonlyMap<string, Row>): Promise<void> {
  const exchange = await Exchange.start(logPath, QUOTES_STAY);
  try {
    await checkBooks(exchange, standing);
    const seconds = (exchange.startMs / 1_000).toFixed(1);
    console.log(`${standing.size} books checked; again after kill -9 and a replay, a start of ${seconds} s`);
  } finally {
    exchange.end();
  }
}
