/**
 * The evidence that a test file leaves beside its results: its cost, and for each test that failed what its processes and
 * pages showed at that moment. The runner names the folder; without a runner nothing is written.
 */

import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { inspect } from 'node:util';

/** Linux counts the time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** As far as one wants to look back in the output of a process. */
const LINES_KEPT = 40;
/** No folder has a longer name, and most titles are shorter. */
const NAME_MAX = 80;

/** Shows the present state of something that a test uses, as files: a name and what it contains. */
export type Witness = () => Promise<readonly Exhibit[]> | readonly Exhibit[];
type Exhibit = readonly [name: string, content: string | Uint8Array];

/** The processor time of something: seconds. */
export interface Cost {
  readonly user: number;
  readonly system: number;
}

const witnesses = new Set<Witness>();
let noted = { user: 0, system: 0 };
/** The times of processes that nobody of this one's children waited for. */
const unreaped = { user: 0, system: 0 };

/**
 * Has a witness asked whenever a test of this process fails, until the returned function is called.
 *
 * @example const dismiss = callWitness(() => [['exchange.log', lastLines(output)]]);
 */
export function callWitness(witness: Witness): () => void {
  witnesses.add(witness);
  return () => witnesses.delete(witness);
}

/** The end of a process's output. */
export function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-LINES_KEPT).join('\n');
}

/** After each test of a file: asks the witnesses if it failed. A witness that fails says so in its file's place. */
export async function keepEvidence(file: string, context: Partial<TestContext>): Promise<void> {
  const folder = process.env.VENUE_TEST_EVIDENCE;
  if (folder === undefined || !(context.error instanceof Error)) return;
  const title = join(folder, nameOf(file), nameOf(context.fullName!.replace(`${file} > `, '')));
  // Long titles may begin alike.
  let place = title;
  for (let i = 2; existsSync(place); i++) place = `${title}-${i}`;
  mkdirSync(place, { recursive: true });
  // Node wraps what was thrown: its cause says what and where.
  writeFileSync(join(place, 'error.txt'), `${inspect(context.error)}\n`);
  const asked = await Promise.allSettled([...witnesses].map(async (witness) => witness()));
  for (const [at, outcome] of asked.entries()) {
    const exhibits =
      outcome.status === 'fulfilled' ? outcome.value : [['witness.txt', String(outcome.reason)] as const];
    for (const [name, content] of exhibits) writeFileSync(join(place, `${at + 1}-${nameOf(name)}`), content);
  }
}

function nameOf(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, '-').slice(0, NAME_MAX);
}

/**
 * Writes what this process, and all that it started, took of the processors since the last call: what files of a process
 * share goes on after each of them, and is counted to those that used it.
 */
export function noteCost(file: string): void {
  const path = process.env.VENUE_TEST_COSTS;
  const own = path === undefined ? null : timesOf('self');
  if (own === null) return;
  const sum = total([own, unreaped, ...processesBelow(process.pid)]);
  const cost = { user: sum.user - noted.user, system: sum.system - noted.system };
  noted = sum;
  appendFileSync(path!, `${JSON.stringify({ file, ...cost })}\n`);
}

/** Counts processes that are about to be killed and that no child of this process will wait for. */
export function noteUnreaped(pids: readonly number[]): void {
  const killed = total(pids.flatMap((pid) => timesOf(pid) ?? []));
  unreaped.user += killed.user;
  unreaped.system += killed.system;
}

function total(costs: readonly Cost[]): Cost {
  return {
    user: costs.reduce((sum, { user }) => sum + user, 0),
    system: costs.reduce((sum, { system }) => sum + system, 0),
  };
}

/** A running process; its times include those of the children that it waited for. */
interface Running extends Cost {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All that a process started, directly or not, and that runs: nothing where the system does not say. */
export function processesBelow(pid: number): Running[] {
  const names = existsSync('/proc') ? readdirSync('/proc') : [];
  const all = names.filter((name) => /^\d+$/.test(name)).flatMap((name) => timesOf(Number(name)) ?? []);
  const below = (parent: number): Running[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

/** The times of a process and the children that it waited for, or null where the system does not say. */
function timesOf(pid: number | 'self'): Running | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of a program, in brackets, may contain anything.
    const fields = stat.split(') ').at(-1)!.split(' ').map(Number);
    const [user, system, userBelow, systemBelow] = fields.slice(11, 15) as [number, number, number, number];
    return {
      pid: Number.parseInt(stat, 10),
      parent: fields[1]!,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
      user: (user + userBelow) / TICKS_PER_SECOND,
      system: (system + systemBelow) / TICKS_PER_SECOND,
    };
  } catch {
    return null;
  }
}

/** The cost of each file, as its process noted it. */
export function costsIn(path: string): ReadonlyMap<string, Cost> {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  return new Map(
    lines.map((line) => {
      const { file, ...cost } = JSON.parse(line) as { file: string } & Cost;
      return [file, cost];
    }),
  );
}
