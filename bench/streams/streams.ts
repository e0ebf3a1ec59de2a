/**
 * Question: how late do frames reach 5,000 stream clients when every tick of 250 ms has 50 fills and a move of ten
 * spots, do clients that never read slow down the others, and how much of the exchange's memory does a client take?
 *
 * Everything in a tick is sent at its planned time, the orders of a hundred accounts over separate connections, and
 * every frame is timed from then to its arrival, whatever delayed it. A frame may take the 250 ms of the exchange's own
 * tick and 100 ms more. A hundred of the clients belong to those accounts. All clients are in one process: each must
 * receive every print and move, with the same bytes as the others, and each account its own fills once, in order, and
 * the resulting position. The rounds start at different phases of the exchange's tick.
 *
 * The non-reading clients share an account with thousands of orders that change every tick; otherwise the system would
 * buffer the exchange's frames for minutes. The baseline is a bare process that has the same public frames prepared and
 * sends each connection a tick's frames in one write.
 */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '../shared/child.ts';
import { withFolder } from '../shared/exchange.ts';
import { WatchedExchange } from '../shared/exchange-process.ts';
import type { ClientsOrder, ClientsReport } from './clients.ts';
import { type LimitRound, measureLimit } from './limit.ts';
import { StreamsMarket } from './market.ts';
import { ACCOUNTS, FILLS_A_TICK, FRAME_LIMIT_MS, SYMBOLS, sharedMs, TICK_MS } from './plan.ts';

export interface StreamsCase {
  /** Includes the hundred accounts. */
  readonly clients: number;
  /** Additional clients, connected but never reading. */
  readonly slow: number;
  /** Ticks per round. */
  readonly ticks: number;
}

export interface StreamsOptions {
  /** The first case is also measured on the bare process. */
  readonly cases: readonly [StreamsCase, ...StreamsCase[]];
  /** Rounds that count; one more before them is warm-up. */
  readonly rounds: number;
  /** Additional environment variables for the exchange. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long frames may arrive after a round; by default 4 s, as an exchange further behind will not catch up. */
  readonly settleMs?: number;
}

const FULL: StreamsOptions = {
  cases: [
    { clients: 5_000, slow: 0, ticks: 10 },
    { clients: 5_000, slow: 20, ticks: 10 },
  ],
  rounds: 3,
};

/** Lead time before a round, so that its first tick is not already late. */
const LEAD_MS = 100;
const SETTLE_LIMIT_MS = 4_000;
/** Time for memory to settle after connecting. */
const QUIET_MS = 1_000;
const LIMITS = '/proc/self/limits';
/** Open files of the exchange besides its clients: log, database, connections of the accounts. */
const OTHER_FILES = 200;

/** Results of a case; an undelivered frame counts as late. Times are those of the worst round. */
export type StreamsRow = Readonly<Record<string, number | string>>;

/** Orders that a case needs were answered otherwise or not at all, for example by an exchange that had stood still. */
export class OrdersNotFilled extends Error {
  override readonly name = 'OrdersNotFilled';

  constructor(faults: readonly string[]) {
    super(`${faults.length} ticks with orders that were not filled; first: ${faults[0]}`);
  }
}

/** Prints the frame delays and returns the rows; throws when a frame is wrong, and {@link OrdersNotFilled}. */
export async function run(options: StreamsOptions = FULL): Promise<StreamsRow[]> {
  const rows: StreamsRow[] = [];
  checkOpenFiles(Math.max(...options.cases.map(({ clients, slow }) => clients + slow)));
  for (const one of options.cases)
    await withFolder(async (folder) => {
      rows.push(await measure(one, options, join(folder, 'venue.db')));
    });
  const [{ clients, ticks }] = options.cases;
  const limit = await measureLimit({ clients, ticks, rounds: options.rounds });
  rows.push({ server: 'bare', clients, slow: 0, ...rowOf(limit) });
  console.table(rows);
  return rows;
}

/** Each connection is an open file. Node raises the limit of a process as far as it may. */
function checkOpenFiles(connections: number): void {
  const limits = existsSync(LIMITS) ? readFileSync(LIMITS, 'utf8') : '';
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  assert.ok(
    limit > connections + OTHER_FILES,
    `${connections} connections need as many open files, and this process may have ${limit} (ulimit -n)`,
  );
}

async function measure(one: StreamsCase, options: StreamsOptions, logPath: string): Promise<StreamsRow> {
  const symbols = SYMBOLS.map((symbol) => `${symbol}:crypto`).join(',');
  const exchange = await WatchedExchange.start({
    logPath,
    symbols,
    ...(options.env && { env: options.env }),
  });
  const clients = Child.fork(new URL('./clients.ts', import.meta.url));
  try {
    const market = await StreamsMarket.open(exchange);
    const bench = new Bench({ exchange, clients, market, options });
    return await bench.measure(one);
  } finally {
    exchange.end();
    clients.end();
  }
}

interface Round extends LimitRound {
  /** Latencies of its orders; infinite for an unanswered one. */
  readonly orderMs: readonly number[];
}

interface Parts {
  readonly exchange: WatchedExchange;
  readonly clients: Child;
  readonly market: StreamsMarket;
  readonly options: StreamsOptions;
}

class Bench {
  readonly #parts: Parts;
  #ticks = 0;
  #residentMax = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async measure({ clients, slow, ticks }: StreamsCase): Promise<StreamsRow> {
    const { exchange, market, options } = this.#parts;
    const perClient = await this.#connect(clients, slow);
    await market.connect();
    const rounds: Round[] = [];
    for (let i = 0; i <= options.rounds; i++) {
      const round = await this.#round(ticks, i / (options.rounds + 1));
      assert.equal(round.fault, null);
      if (i > 0 || round.undelivered > 0) rounds.push(round);
      // It would only fall further behind.
      if (round.undelivered > 0) break;
    }
    const slowDropped = slow > 0 ? await this.#tell<{ slowDropped: number }>({ do: 'count-dropped' }) : null;
    market.close();
    if (rounds.every(({ undelivered }) => undelivered === 0)) await exchange.stop();
    const orderMs = rounds.flatMap((round) => round.orderMs).sort((a, b) => a - b);
    return {
      server: 'exchange',
      clients,
      slow,
      ...rowOf(rounds),
      'slow dropped': slowDropped?.slowDropped ?? 0,
      'order p99 ms': Math.round(orderMs[Math.floor(orderMs.length * 0.99)]!),
      'KiB a client': Math.round(perClient / 1_024),
      'most MiB': Math.round(this.#residentMax / 2 ** 20),
    };
  }

  /**
   * Returns the exchange's memory per client, measured on the second half, as the first fits into already free memory.
   */
  async #connect(clients: number, slow: number): Promise<number> {
    const { exchange, market } = this.#parts;
    if (slow > 0) await market.openSlow();
    const half = Math.floor((clients - ACCOUNTS) / 2);
    const order = { do: 'connect', url: exchange.url, slowToken: market.slowToken } as const;
    await this.#tell({ ...order, plain: half, slow, tokens: market.tokens });
    await sleep(QUIET_MS);
    const before = exchange.residentBytes;
    const plain = clients - ACCOUNTS - half;
    await this.#tell({ ...order, plain, slow: 0, tokens: [] });
    await sleep(QUIET_MS);
    return (exchange.residentBytes - before) / plain;
  }

  /** A round of ticks that starts at a phase of the exchange's tick. */
  async #round(ticks: number, phase: number): Promise<Round> {
    const { exchange, market, options } = this.#parts;
    const startMs = sharedMs() + LEAD_MS + phase * TICK_MS;
    await this.#tell({ do: 'expect', startMs, ticks: ticks });
    const cpuBefore = exchange.cpuMs;
    const faults: string[] = [];
    const sent: Promise<unknown>[] = [];
    for (let i = 0; i < ticks; i++) {
      const plannedMs = startMs + i * TICK_MS;
      await sleep(Math.max(0, plannedMs - sharedMs()));
      // An order unanswered when the case is abandoned fails then, which is not an error.
      sent.push(market.send(this.#ticks++, plannedMs).catch((fault) => faults.push(String(fault))));
      this.#residentMax = Math.max(this.#residentMax, exchange.residentBytes);
    }
    const { settleMs: limitMs = SETTLE_LIMIT_MS } = options;
    const report = await this.#tell<ClientsReport>({ do: 'settle', limitMs });
    if (report.undelivered === 0) await Promise.all(sent);
    if (faults.length > 0) throw new OrdersNotFilled(faults);
    const elapsedMs = sharedMs() - startMs;
    const unanswered = ticks * FILLS_A_TICK - market.orderMs.length;
    const orderMs = [
      ...market.orderMs,
      ...Array.from({ length: unanswered }, () => Number.POSITIVE_INFINITY),
    ];
    market.orderMs = [];
    return { ...report, elapsedMs, serverCpuMs: exchange.cpuMs - cpuBefore, orderMs };
  }

  #tell<T = object>(order: ClientsOrder): Promise<T> {
    return this.#parts.clients.ask<T>(order);
  }
}

function rowOf(rounds: readonly LimitRound[]): StreamsRow {
  const sum = (of: (round: LimitRound) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const most = (of: (round: LimitRound) => number) => Math.round(Math.max(...rounds.map(of)));
  const frames = sum((round) => round.public.frames + round.private.frames);
  const undelivered = sum((round) => round.undelivered);
  const late = undelivered + sum((round) => round.public.late + round.private.late);
  const elapsedMs = sum((round) => round.elapsedMs);
  const serverCpuMs = sum((round) => round.serverCpuMs);
  return {
    frames,
    undelivered,
    'late %': Number(((100 * late) / (frames + undelivered)).toFixed(2)),
    'p50 ms': most((round) => round.public.p50Ms),
    'p99 ms': most((round) => round.public.p99Ms),
    'longest ms': most((round) => round.public.longestMs),
    'private longest': most((round) => round.private.longestMs),
    dropped: most((round) => round.dropped),
    'CPU %': Math.round((100 * serverCpuMs) / elapsedMs),
    'CPU µs a frame': Number(((1e3 * serverCpuMs) / frames).toFixed(2)),
    'clients CPU %': Math.round((100 * sum(({ cpuMs }) => cpuMs)) / elapsedMs),
  };
}

if (import.meta.main) {
  console.log(`a tick has ${FILLS_A_TICK} fills; a frame may take ${FRAME_LIMIT_MS} ms`);
  await run();
}
