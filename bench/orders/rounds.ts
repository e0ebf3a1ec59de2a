/** Rounds of load on the exchange and the bare server by turns, and what each costs. */

import { join } from 'node:path';
import { Exchange, withFolder } from '../shared/exchange.ts';
import type { LoadRun, TargetName } from './load.ts';
import { BareOrders, type CpuTime, cpuTimeOf, Load, machineBusyMs } from './processes.ts';

export const TARGETS: readonly TargetName[] = ['bare', 'exchange'];

/** A run against one server, and its cost to that server. */
export interface Round extends LoadRun {
  readonly serverCpu: CpuTime;
  /** Processor time of all processes on the machine, including this one. */
  readonly machineBusyMs: number;
}

export type Rounds = Readonly<Record<TargetName, readonly Round[]>>;

/** The three processes of a measurement. */
export interface Parts {
  readonly exchange: Exchange;
  readonly bare: BareOrders;
  readonly load: Load;
  readonly urls: Readonly<Record<TargetName, string>>;
  /** Id of the exchange's deployment (VEN-1). */
  readonly venue: string;
}

export interface Clients {
  readonly traders: number;
  readonly connections: number;
  /** Additional environment variables of the exchange. */
  readonly env?: Readonly<Record<string, string>>;
}

type Connected = Pick<Parts, 'exchange' | 'bare' | 'load'>;

/** Runs `work` with all three connected, and ends every process it started. */
export async function withParts<T>(clients: Clients, work: (parts: Parts) => Promise<T>): Promise<T> {
  let result: T | undefined;
  await withFolder(async (folder) => {
    const logPath = join(folder, 'venue.db');
    const parts = {
      exchange: await Exchange.start(logPath, { VENUE_REQUIRE_SIGNED_ORDERS: '1', ...clients.env }),
      load: new Load(),
      bare: new BareOrders(),
    };
    try {
      result = await work({ ...parts, ...(await introduce(parts, clients)) });
    } finally {
      for (const part of Object.values(parts)) part.end();
    }
  });
  return result!;
}

/** Opens the traders and their connections to both servers. */
async function introduce({ exchange, bare, load }: Connected, clients: Clients) {
  const { traders, connections } = clients;
  const seriesIds = (await exchange.list()).map(({ seriesId }) => seriesId);
  const sessions = await load.ask('open', { url: exchange.url, traders, seriesIds });
  const { venue } = await exchange.client.market.venue();
  const urls = { bare: await bare.start({ venue, sessions }), exchange: exchange.url };
  for (const target of TARGETS) await connect({ load, urls }, target, connections);
  return { venue, urls };
}

/** Opens the load's connections to a server, in place of any before. One that sends nothing for a minute is hung up. */
export async function connect(
  { load, urls }: Pick<Parts, 'load' | 'urls'>,
  target: TargetName,
  connections: number,
): Promise<void> {
  await load.ask('connect', { target, url: urls[target], connections });
}

/** Alternates the servers, so that other load on the machine affects both alike. */
export function turn(round: number): readonly TargetName[] {
  return round % 2 === 0 ? TARGETS : TARGETS.toReversed();
}

/** Runs `act` and adds what it cost the process. */
export async function roundOf(pid: number, act: () => Promise<LoadRun>): Promise<Round> {
  const [server, machine] = [cpuTimeOf(pid), machineBusyMs()];
  const run = await act();
  const { allMs, mainMs, byThread } = cpuTimeOf(pid);
  const threads = Array.from(
    byThread,
    ([name, ms]) => [name, ms - (server.byThread.get(name) ?? 0)] as const,
  );
  const byThreadMs = new Map(threads);
  const serverCpu = { allMs: allMs - server.allMs, mainMs: mainMs - server.mainMs, byThread: byThreadMs };
  return { ...run, serverCpu, machineBusyMs: machineBusyMs() - machine };
}

/** How much of what was done a second in each round, ascending. */
export function ratesOf(rounds: readonly Round[], unit: 'orders' | 'actions' = 'orders') {
  const rates = rounds.map((round) => (round[unit] * 1_000) / round.elapsedMs).toSorted((a, b) => a - b);
  return { slowest: rates[0]!, median: rates[rates.length >> 1]!, fastest: rates.at(-1)! };
}

/** Times of answers over all rounds, from the planned send. */
export function latencyOf(rounds: readonly Round[]) {
  const sorted = (of: (round: Round) => Float64Array) =>
    Float64Array.from(rounds.flatMap((round) => [...of(round)])).sort();
  const latencies = sorted(({ latenciesMs }) => latenciesMs);
  const late = sorted(({ lateMs }) => lateMs);
  const at = (times: Float64Array, share: number) =>
    Number(times[Math.floor(times.length * share)]!.toFixed(2));
  return {
    'p50 ms': at(latencies, 0.5),
    'p99 ms': at(latencies, 0.99),
    'p99.9 ms': at(latencies, 0.999),
    'longest ms': Number(latencies.at(-1)!.toFixed(2)),
    'sent late, p50 ms': at(late, 0.5),
    'sent late, p99 ms': at(late, 0.99),
  };
}

/** Microseconds of processor time for each order or action. */
export function microsecondsEach(
  rounds: readonly Round[],
  cost: (round: Round) => number,
  unit: 'orders' | 'actions' = 'orders',
): number {
  const sum = (part: (round: Round) => number) => rounds.reduce((total, round) => total + part(round), 0);
  return Number(((1_000 * sum(cost)) / sum((round) => round[unit])).toFixed(1));
}
