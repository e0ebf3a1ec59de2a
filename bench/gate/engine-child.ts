/** A process that loads the engine and its benchmarks from one checkout, and runs rounds of one of them. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Engine from '../../packages/engine/src/index.ts';
import type * as Flow from '../engine/flow.ts';
import { collectGarbage } from '../engine/garbage.ts';
import type * as Protection from '../engine/protection.ts';
import type { Cost } from './judge.ts';

export interface EngineTask {
  readonly root: string;
  /** The flow of the benchmark `engine`, or null for so many fills against a set of a whole symbol. */
  readonly flow: FlowTask | null;
  readonly fills: number;
}

export interface FlowTask extends Flow.FlowOptions {
  /** Entries of a round. */
  readonly slice: number;
}

/** The cost of a round, by benchmark. */
export type Costs = Readonly<Record<string, Cost>>;

const SYMBOL_SERIES = 1_312;

let round: (() => Costs) | null = null;

/** The first message is a task, answered once a round can run; each message after it, with the costs of one. */
process.on('message', async (task: EngineTask) => {
  if (round !== null) {
    process.send!(round());
    return;
  }
  round = task.flow === null ? await fillsOf(task) : await flowOf(task.root, task.flow);
  process.send!({});
});
process.once('disconnect', () => process.exit());

function load<Module>(root: string, path: string): Promise<Module> {
  return import(pathToFileURL(join(root, path)).href);
}

/** A round is a slice of the flow. Every pass over all of them has to end in the same state. */
async function flowOf(root: string, { slice, ...options }: FlowTask): Promise<() => Costs> {
  const { makeFlow, openVenue } = await load<typeof Flow>(root, 'bench/engine/flow.ts');
  const engine = await load<typeof Engine>(root, 'packages/engine/src/index.ts');
  const { entries } = makeFlow(options);
  const name = `engine, ${options.accounts.toLocaleString('en')} accounts: an entry`;
  let { state } = openVenue(options);
  let digest: string | null = null;
  let at = 0;
  return () => {
    const part = entries.slice(at, at + slice);
    const cost = costOf(part.length, () => {
      for (const entry of part) engine.apply(state, entry, engine.NO_EFFECTS);
    });
    at += slice;
    if (at >= entries.length) {
      digest ??= engine.stateDigest(state);
      assert.equal(engine.stateDigest(state), digest);
      ({ state } = openVenue(options));
      collectGarbage();
      at = 0;
    }
    return { [name]: cost };
  };
}

/** The rows of the benchmark `protection` of fills against a set of a whole symbol: medians, of time only. */
async function fillsOf({ root, fills }: EngineTask): Promise<() => Costs> {
  const { measureProtection } = await load<typeof Protection>(root, 'bench/engine/protection.ts');
  // It prints its tables.
  console.table = () => {};
  return () => {
    const options = { rounds: 1, sweeps: 1, singles: fills, freezes: 1, pushes: 1 };
    const rows = measureProtection(options).reserves.filter(
      (row) => row.series === SYMBOL_SERIES && row['filled against'].startsWith('a set'),
    );
    return Object.fromEntries(
      rows.map((row) => {
        const us = row['µs an entry of one fill, median'];
        return [`fill against a set, marks by ${row['marks by']}`, { cpuUs: us, wallUs: us }];
      }),
    );
  };
}

function costOf(units: number, work: () => void): Cost {
  const [cpu, startMs] = [process.cpuUsage(), performance.now()];
  work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuUs: (user + system) / units, wallUs: ((performance.now() - startMs) * 1_000) / units };
}
