/**
 * Question: how many bytes does the engine keep per resting order, per account with three positions and per series, and
 * do a million resting orders fit into a gigabyte?
 *
 * Each kind is added many times to an engine in a separate process, and the JavaScript heap and array buffers are read
 * before and after, following garbage collection. Arrays that double count at their allocated size. No invariant may be
 * broken at the end.
 */

import { Child } from '../shared/child.ts';
import type { MemoryCase, MemoryOrder, MemoryReport } from './memory-child.ts';

const MILLION = 1_000_000;
const GIGABYTE = 1e9;

/** How many to add in each case. */
export type MemoryCounts = Readonly<Record<MemoryCase, number>>;

const FULL: MemoryCounts = {
  'orders, 4 series an account': MILLION,
  'orders, each in a series of its own': MILLION,
  'account with cash alone': 100_000,
  'account with a session key': 100_000,
  'account with 3 positions': 100_000,
  'fill in the history': 400_000,
  'series, empty': 5_166,
  'series, quoted': 5_166,
};

/** Prints the bytes per piece and returns the measurements; throws when a million orders exceed a gigabyte. */
export async function run(counts: MemoryCounts = FULL): Promise<ReadonlyMap<MemoryCase, MemoryReport>> {
  const reports = new Map<MemoryCase, MemoryReport>();
  for (const [what, count] of Object.entries(counts) as [MemoryCase, number][])
    reports.set(what, await measure({ what, count }));
  console.table(Array.from(reports, ([what, report]) => rowOf(what, report)));
  return reports;
}

async function measure(order: MemoryOrder): Promise<MemoryReport> {
  const child = Child.fork(new URL('./memory-child.ts', import.meta.url), ['--expose-gc']);
  try {
    return await child.ask<MemoryReport>(order);
  } finally {
    child.end();
  }
}

function rowOf(what: MemoryCase, { bytes, totalBytes, residentBytes, added }: MemoryReport) {
  return {
    what,
    added,
    'bytes each': Math.round(bytes / added),
    'engine MB': Math.round(totalBytes / 1e6),
    'process MB': Math.round(residentBytes / 1e6),
    ...(added === MILLION && { '% of 1 GB': Math.round((100 * totalBytes) / GIGABYTE) }),
  };
}

if (import.meta.main) await run();
