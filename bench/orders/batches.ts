/**
 * Question: how many signed actions a second does the exchange take, from HTTP to the durable answer, when a signature
 * carries 1, 4, 16 or 64 of them? Beside it the same actions as orders and cancels of their own, and a bare server that
 * only parses the same JSON, verifies the same signatures and answers.
 *
 * The traders, their actions and the processes are those of the benchmark `orders`; only the bundling differs, and in
 * each round the forms come by turns. At the end the log is read and replayed: it has every acknowledged order exactly
 * once, under its number, and no other.
 */

import { availableParallelism } from 'node:os';
import type { TargetName } from './load.ts';
import { checkLog } from './log.ts';
import {
  latencyOf,
  microsecondsEach,
  type Parts,
  type Round,
  ratesOf,
  roundOf,
  TARGETS,
  turn,
  withParts,
} from './rounds.ts';

export interface BatchesOptions {
  readonly traders: number;
  readonly connections: number;
  /** First rounds that do not count, while code is still being compiled. */
  readonly warmMs: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly pacedRounds: number;
  readonly pacedMs: number;
}

const FULL: BatchesOptions = {
  traders: 256,
  connections: 64,
  warmMs: 4_000,
  rounds: 5,
  roundMs: 2_000,
  pacedRounds: 3,
  pacedMs: 3_000,
};

/** How actions travel: each as an order or cancel of its own, or so many under a signature. */
export const FORMS = ['single', 1, 4, 16, 64] as const;
export type Form = (typeof FORMS)[number];

/** Times the single orders' rate, by actions a signature. */
const RATE_AIMS: Partial<Record<Form, number>> = { 16: 6, 64: 10 };
const P99_AIM_MS = 15;
/** Microseconds of processor time for an action under a signature with 16, where the bare server spends so many on an order. */
const COST_AIM_US = 20;
const COST_AIM_BARE_US = 84;
/** Actions a second to sign for in the first round. */
const FIRST_RATE = { single: 12_000, 1: 12_000, 4: 40_000, 16: 100_000, 64: 160_000 } as const;

type RoundsOf = Record<TargetName, Round[]>;

export interface MeasuredBatches {
  /** At full speed. */
  readonly fast: Readonly<Record<Form, RoundsOf>>;
  /** At half of each form's rate, to the exchange. */
  readonly paced: Readonly<Record<Form, readonly Round[]>>;
  /** Orders found in the log. */
  readonly logged: number;
}

/** Prints the tables and the target figures; throws when a result is wrong. */
export async function run(): Promise<void> {
  const measured = await measureBatches(FULL);
  const { traders, connections } = FULL;
  console.log(
    `${traders} traders, ${connections} connections, ${availableParallelism()} cores for all processes together`,
  );
  console.table(FORMS.flatMap((form) => TARGETS.map((name) => speedOf(measured, form, name))));
  console.log('half load; milliseconds from the planned send of a request to its answer:');
  console.table(FORMS.map((form) => ({ form, ...latencyOf(measured.paced[form]) })));
  console.log(`${measured.logged} orders, all in the log once`);
  printAims(measured);
}

function speedOf({ fast }: MeasuredBatches, form: Form, server: TargetName) {
  const rounds = fast[form][server];
  const { slowest, median, fastest } = ratesOf(rounds, 'actions');
  const each = (cost: (round: Round) => number) => microsecondsEach(rounds, cost, 'actions');
  return {
    form,
    server,
    'actions/s, median': Math.round(median),
    'slowest round': Math.round(slowest),
    'fastest round': Math.round(fastest),
    'server us': each(({ serverCpu }) => serverCpu.allMs),
    'its main thread': each(({ serverCpu }) => serverCpu.mainMs),
    'sender us': each(({ cpuMs }) => cpuMs),
  };
}

function printAims({ fast, paced }: MeasuredBatches): void {
  const verdict = (isReached: boolean) => (isReached ? 'reached' : 'falls short');
  const rateOf = (form: Form) => ratesOf(fast[form].exchange, 'actions').median;
  for (const form of FORMS) {
    const aim = RATE_AIMS[form];
    if (aim === undefined) continue;
    const times = rateOf(form) / rateOf('single');
    console.log(`${form} actions/single: ${times.toFixed(1)} times (aim ${aim}: ${verdict(times >= aim)})`);
  }
  const p99Ms = latencyOf(paced[16])['p99 ms'];
  console.log(
    `p99 at half load, 16 actions: ${p99Ms} ms (aim under ${P99_AIM_MS}: ${verdict(p99Ms < P99_AIM_MS)})`,
  );
  const costUs = (form: Form, name: TargetName) =>
    microsecondsEach(fast[form][name], ({ serverCpu }) => serverCpu.allMs, 'actions');
  const aimUs = (COST_AIM_US * costUs('single', 'bare')) / COST_AIM_BARE_US;
  const cost = costUs(16, 'exchange');
  console.log(
    `processor time of an action among 16: ${cost} us (aim ${aimUs.toFixed(1)} on this machine: ${verdict(cost < aimUs)})`,
  );
}

/** Throws when a result is wrong; ends every process it starts. */
export function measureBatches(options: BatchesOptions): Promise<MeasuredBatches> {
  return withParts(options, (parts) => measure(parts, options));
}

async function measure(parts: Parts, options: BatchesOptions): Promise<MeasuredBatches> {
  const { exchange, load } = parts;
  const fast = byForm<RoundsOf>(() => ({ bare: [], exchange: [] }));
  for (let i = 0; i <= options.rounds; i++) {
    const ms = i === 0 ? options.warmMs : options.roundMs;
    for (const form of FORMS) {
      await sign(parts, form, enoughFor(form, ms, fast[form]));
      for (const name of turn(i)) {
        fast[form][name].push(await roundOf(parts[name].pid, () => load.ask('saturate', name, ms)));
      }
    }
  }
  for (const form of FORMS) for (const name of TARGETS) fast[form][name].shift();

  const paced = byForm<Round[]>(() => []);
  for (let i = 0; i < options.pacedRounds; i++) {
    for (const form of FORMS) {
      const each = actionsOf(form);
      const writesPerSecond = ratesOf(fast[form].exchange, 'actions').median / 2 / each;
      await sign(parts, form, Math.ceil((writesPerSecond * options.pacedMs) / 1_000));
      paced[form].push(await roundOf(exchange.pid, () => load.ask('pace', 'exchange', writesPerSecond)));
    }
  }
  const heard = await load.ask('heard', 'exchange');
  await exchange.stop();
  return { fast, paced, logged: await checkLog(exchange.logPath, heard) };
}

function byForm<T>(make: () => T): Record<Form, T> {
  return Object.fromEntries(FORMS.map((form) => [form, make()])) as Record<Form, T>;
}

function actionsOf(form: Form): number {
  return form === 'single' ? 1 : form;
}

async function sign({ load, venue }: Parts, form: Form, writes: number): Promise<void> {
  if (form === 'single') await load.ask('sign', writes);
  else await load.ask('signBatches', writes, { each: form, venue });
}

/** One and a half times the writes answered in such a time, so that no round runs out early. */
function enoughFor(form: Form, ms: number, rounds: RoundsOf): number {
  const all = [...rounds.bare, ...rounds.exchange];
  const rate = all.length === 0 ? FIRST_RATE[form] : ratesOf(all, 'actions').fastest;
  return Math.ceil((1.5 * rate * ms) / 1_000 / actionsOf(form));
}
