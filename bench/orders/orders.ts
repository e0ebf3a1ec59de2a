/**
 * Question: how many signed orders a second does the exchange take, from HTTP to the durable answer, and how long does
 * an order take at half of that load? For comparison, a bare server only parses the same JSON, verifies the same
 * signatures and answers; it gets the same bytes over as many connections, alternating with the exchange.
 *
 * The orders come from a separate process that signs them right before each round, as a nonce is valid for a minute.
 * All processes share all cores. At half load an order is sent at its planned time, whether or not earlier ones are
 * answered, and is timed from then: a server that stalls pays for every order that waits.
 *
 * Every answer must be a 200 with a unique order number. At the end the log is read and replayed: it has every
 * acknowledged order exactly once, under its number, and no other.
 */

import { availableParallelism } from 'node:os';
import type { Heard, TargetName } from './load.ts';
import { checkLog } from './log.ts';
import {
  latencyOf,
  microsecondsEach,
  type Parts,
  type Round,
  type Rounds,
  ratesOf,
  roundOf,
  TARGETS,
  turn,
  withParts,
} from './rounds.ts';
import { WRITES_PER_ORDER } from './traders.ts';

export interface OrdersOptions {
  readonly traders: number;
  readonly connections: number;
  /** A first round that does not count; the exchange's code is still being compiled for some 30,000 orders. */
  readonly warmMs: number;
  /** Rounds at full speed. */
  readonly rounds: number;
  readonly roundMs: number;
  /** Writes signed for the first round; each round ends when it runs out of them. */
  readonly firstWrites: number;
  /** Rounds at half load. */
  readonly pacedRounds: number;
  readonly pacedMs: number;
}

const FULL: OrdersOptions = {
  traders: 256,
  connections: 64,
  warmMs: 5_000,
  rounds: 3,
  roundMs: 2_000,
  firstWrites: 40_000,
  pacedRounds: 3,
  pacedMs: 3_000,
};
const RATIO_AIM = 0.6;
const P99_AIM_MS = 10;

/** Prints tables for both servers and the two target figures; throws when a result is wrong. */
export async function run(): Promise<void> {
  const { fast, paced, pacedOrdersPerSecond, counts, logged, signMs } = await measureOrders(FULL);
  const { traders, connections } = FULL;
  console.log(
    `${traders} traders, ${connections} connections, ${availableParallelism()} cores for all processes together`,
  );
  console.table(TARGETS.map((name) => ({ 'full load': name, ...speedOf(fast[name]) })));
  console.log(
    `half load is ${Math.round(pacedOrdersPerSecond)} orders/s, to both; milliseconds from the planned send:`,
  );
  console.table(TARGETS.map((name) => ({ 'half load': name, ...latencyOf(paced[name]) })));
  console.log(
    'microseconds of processor time an order, all threads, and the share of both cores that others took:',
  );
  console.table([
    ...TARGETS.map((name) => costsOf('full', name, fast)),
    ...TARGETS.map((name) => costsOf('half', name, paced)),
  ]);
  console.log('the same of every thread of the exchange at full load:');
  console.table(threadsOf(fast.exchange));
  const share = (count: number) => `${((100 * count) / logged).toFixed(0)} %`;
  const { rested, partial, filled, cancels, bytes } = counts;
  console.log(
    `${logged} orders, all in the log once: ${share(rested)} rested, ${share(partial)} traded in part,`,
  );
  console.log(
    `${share(filled)} filled; ${cancels} cancels in between; ${Math.round(bytes / logged)} bytes an answer;`,
  );
  console.log(`signed beforehand, ${signMs.toFixed(3)} ms each`);
  printAims(fast, paced);
}

function printAims(fast: Rounds, paced: Rounds): void {
  const ratio = ratesOf(fast.exchange).median / ratesOf(fast.bare).median;
  const p99Ms = latencyOf(paced.exchange)['p99 ms'];
  const verdict = (isReached: boolean) => (isReached ? 'reached' : 'falls short');
  const reached = [verdict(ratio >= RATIO_AIM), verdict(p99Ms < P99_AIM_MS)];
  console.log(`exchange/bare: ${(100 * ratio).toFixed(0)} % (aim ${100 * RATIO_AIM} %: ${reached[0]})`);
  console.log(`p99 at half load: ${p99Ms} ms (aim under ${P99_AIM_MS} ms: ${reached[1]})`);
}

export interface Measured {
  /** At full speed. */
  readonly fast: Rounds;
  /** At half the exchange's rate, for both. */
  readonly paced: Rounds;
  readonly pacedOrdersPerSecond: number;
  /** The exchange's answers by kind. */
  readonly counts: Heard['counts'];
  /** Orders found in the log. */
  readonly logged: number;
  /** For one write. */
  readonly signMs: number;
}

/** Throws when a result is wrong; ends every process it starts. */
export function measureOrders(options: OrdersOptions): Promise<Measured> {
  return withParts(options, (parts) => measure(parts, options));
}

async function measure(parts: Parts, options: OrdersOptions): Promise<Measured> {
  const { load, exchange } = parts;
  const { warmMs, rounds, roundMs, firstWrites, pacedRounds, pacedMs } = options;
  const fast: Record<TargetName, Round[]> = { bare: [], exchange: [] };
  let signMs = 0;
  for (let i = 0; i <= rounds; i++) {
    const writes = i === 0 ? firstWrites : enoughFor(roundMs, [...fast.bare, ...fast.exchange]);
    signMs = (await load.ask('sign', writes)) / writes;
    for (const name of turn(i)) {
      const ms = i === 0 ? warmMs : roundMs;
      fast[name].push(await roundOf(parts[name].pid, () => load.ask('saturate', name, ms)));
    }
  }
  for (const name of TARGETS) fast[name].shift();

  const paced: Record<TargetName, Round[]> = { bare: [], exchange: [] };
  const pacedOrdersPerSecond = ratesOf(fast.exchange).median / 2;
  const writesPerSecond = pacedOrdersPerSecond * WRITES_PER_ORDER;
  for (let i = 0; i < pacedRounds; i++) {
    await load.ask('sign', Math.round((writesPerSecond * pacedMs) / 1_000));
    for (const name of turn(i)) {
      paced[name].push(await roundOf(parts[name].pid, () => load.ask('pace', name, writesPerSecond)));
    }
  }
  const heard = await load.ask('heard', 'exchange');
  await exchange.stop();
  const logged = await checkLog(exchange.logPath, heard);
  return { fast, paced, pacedOrdersPerSecond, counts: heard.counts, logged, signMs };
}

/** One and a half times the writes answered in such a time, so that no round runs out early. */
function enoughFor(ms: number, rounds: readonly Round[]): number {
  return Math.ceil((1.5 * ratesOf(rounds).fastest * WRITES_PER_ORDER * ms) / 1_000);
}

function speedOf(rounds: readonly Round[]) {
  const { slowest, median, fastest } = ratesOf(rounds);
  return {
    'orders/s, median': Math.round(median),
    'slowest round': Math.round(slowest),
    'fastest round': Math.round(fastest),
  };
}

/** Most first. Threads of V8 compile and collect. */
function threadsOf(rounds: readonly Round[]) {
  const names = new Set(rounds.flatMap(({ serverCpu }) => [...serverCpu.byThread.keys()]));
  return Array.from(names, (thread) => ({
    thread,
    'us an order': microsecondsEach(rounds, ({ serverCpu }) => serverCpu.byThread.get(thread) ?? 0),
  })).toSorted((a, b) => b['us an order'] - a['us an order']);
}

function costsOf(load: string, server: TargetName, rounds: Rounds) {
  const sum = (part: (round: Round) => number) =>
    rounds[server].reduce((total, round) => total + part(round), 0);
  const perOrder = (cost: (round: Round) => number) => microsecondsEach(rounds[server], cost);
  const elapsedMs = sum((round) => round.elapsedMs);
  const serverMs = sum(({ serverCpu }) => serverCpu.allMs);
  const senderMs = sum(({ cpuMs }) => cpuMs);
  const percent = (ms: number) => Math.round((100 * ms) / (elapsedMs * availableParallelism()));
  return {
    load,
    server,
    'server us': perOrder(({ serverCpu }) => serverCpu.allMs),
    'its main thread': perOrder(({ serverCpu }) => serverCpu.mainMs),
    'sender us': perOrder(({ cpuMs }) => cpuMs),
    'server %': percent(serverMs),
    'sender %': percent(senderMs),
    'others %': percent(sum((round) => round.machineBusyMs) - serverMs - senderMs),
  };
}
