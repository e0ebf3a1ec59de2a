/**
 * Question: is anything slower than at another commit? Six benchmarks run by turns with a checkout of that commit, in
 * several launches of fresh processes: the engine at two sizes, a signed order and a batch of 64 from HTTP to durable, a
 * read of a chain, and a fill against a quote set of a whole symbol.
 *
 * Processor time is compared, because it is steadier than time where other work shares the machine; the ratio of time is
 * shown beside it. Where a benchmark can be loaded from either checkout, each runs its own; exchanges get one load.
 */

import { join } from 'node:path';
import { Child } from '../shared/child.ts';
import { withFolder } from '../shared/exchange.ts';
import { type Checkout, checkOut, HERE, nameOf } from './checkout.ts';
import type { Costs, EngineTask, FlowTask } from './engine-child.ts';
import { fails, type Judged, judge, type Pair } from './judge.ts';
import { type LoadOptions, ServerSide } from './server.ts';

export interface GateOptions {
  /** Fresh processes, as those of one code differ for as long as they live. */
  readonly launches: number;
  readonly flows: readonly (FlowTask & Turns)[];
  readonly fills: Turns & { readonly singles: number };
  readonly load: LoadOptions & Turns;
}

/** Many short rounds by turns: what disturbs one seldom disturbs its neighbour less. */
interface Turns {
  readonly pairs: number;
  /** Before those that count. */
  readonly warmPairs: number;
}

const PASSES = { entries: 60_000, slice: 3_000, warmPairs: 20, pairs: 60 } as const;
const FULL: GateOptions = {
  launches: 4,
  flows: [
    { accounts: 1_000, ...PASSES },
    { accounts: 10_000, ...PASSES },
  ],
  fills: { singles: 200, warmPairs: 0, pairs: 2 },
  load: {
    traders: 256,
    connections: 64,
    orders: 1_500,
    batches: 100,
    readMs: 300,
    warmPairs: 4,
    pairs: 12,
  },
};

/** The roots of two checkouts. */
export interface Roots {
  readonly base: string;
  readonly now: string;
}

/** `npm run bench -- gate BASE`: prints the table; the process fails if something is worse. */
export async function run([base, ...rest]: readonly string[]): Promise<void> {
  if (base === undefined || rest.length > 0) throw new Error('usage: npm run bench -- gate COMMIT');
  process.once('SIGINT', () => process.exit(130));
  const checkout: Checkout = checkOut(base);
  try {
    console.log(`base: ${nameOf(base)}\nnow:  ${nameOf('HEAD')}, with what is not committed`);
    const judged = await compare({ base: checkout.root, now: HERE }, FULL, console.log);
    console.table([...judged].map(([what, row]) => rowOf(what, row)));
    if ([...judged.values()].some(({ verdict }) => fails(verdict))) process.exitCode = 1;
  } finally {
    checkout.remove();
  }
}

/** Measures two checkouts by turns and judges them, by benchmark. */
export async function compare(
  roots: Roots,
  options: GateOptions,
  say: (line: string) => void = () => {},
): Promise<ReadonlyMap<string, Judged>> {
  const pairs = new Map<string, Pair[][]>();
  for (let launch = 1; launch <= options.launches; launch++) {
    for (const [what, launched] of await launchOf(roots, options)) {
      say(`launch ${launch} of ${options.launches}, ${what}: ${judge([launched]).ratio.toFixed(3)}`);
      pairs.set(what, [...(pairs.get(what) ?? []), launched]);
    }
  }
  return new Map(Array.from(pairs, ([what, launches]) => [what, judge(launches)]));
}

async function launchOf(roots: Roots, options: GateOptions): Promise<Map<string, Pair[]>> {
  const pairs = new Map<string, Pair[]>();
  const { flows, fills, load } = options;
  for (const flow of [...flows, null]) {
    const task = { flow, fills: fills.singles };
    for (const [what, of] of await engineTurns(roots, task, flow ?? fills)) pairs.set(what, of);
  }
  await withFolder(async (folder) => {
    const sides = await bothOf((side) => ServerSide.open(roots[side], join(folder, `${side}.db`), load));
    try {
      pairs.set('signed order, HTTP to durable', await turns((side) => sides[side].write('order'), load));
      pairs.set('batch of 64: an action', await turns((side) => sides[side].write('batch'), load));
      pairs.set('read of a chain', await turns((side) => sides[side].read(), load));
    } finally {
      for (const side of Object.values(sides)) side.end();
    }
  });
  return pairs;
}

async function engineTurns(
  roots: Roots,
  task: Omit<EngineTask, 'root'>,
  options: Turns,
): Promise<Map<string, Pair[]>> {
  const file = new URL('./engine-child.ts', import.meta.url);
  const children = { base: Child.fork(file), now: Child.fork(file) };
  try {
    await bothOf((side) => children[side].ask({ root: roots[side], ...task }));
    const rounds = await turns((side) => children[side].ask<Costs>({}), options);
    const names = Object.keys(rounds[0]!.now);
    return new Map(
      names.map((name) => [name, rounds.map(({ base, now }) => ({ base: base[name]!, now: now[name]! }))]),
    );
  } finally {
    for (const child of Object.values(children)) child.end();
  }
}

type Side = keyof Roots;

async function bothOf<T>(make: (side: Side) => Promise<T>): Promise<Record<Side, T>> {
  return { base: await make('base'), now: await make('now') };
}

/** Runs rounds of both sides by turns, each first in every other pair; those that warm up do not count. */
async function turns<T>(
  round: (side: Side) => Promise<T>,
  { pairs, warmPairs }: Turns,
): Promise<Record<Side, T>[]> {
  const all: Record<Side, T>[] = [];
  for (let i = 0; i < warmPairs + pairs; i++) {
    const early = i % 2 === 0 ? await round('base') : null;
    const now = await round('now');
    all.push({ base: early ?? (await round('base')), now });
  }
  return all.slice(warmPairs);
}

function rowOf(what: string, { baseUs, nowUs, ratio, least, greatest, wallRatio, verdict }: Judged) {
  return {
    what,
    'base µs': rounded(baseUs),
    'now µs': rounded(nowUs),
    ratio: rounded(ratio),
    'of the launches': `${least.toFixed(2)} to ${greatest.toFixed(2)}`,
    'of time': rounded(wallRatio),
    verdict,
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(value < 10 ? 2 : 1));
}
