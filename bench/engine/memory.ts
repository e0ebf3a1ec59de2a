/**
 * Question: how many bytes does the engine keep for a resting order, for an account with three positions and for a
 * series, and do a million resting orders fit into a gigabyte?
 *
 * Each is added many times to an engine in a process of its own, and JavaScript's heap and the arrays beside it are
 * read before and after, with garbage collected. Arrays that double are counted as they stand. No invariant may be
 * broken in the end.
 */

import { Child } from '../shared/child.ts';
import type { MemoryCase, MemoryOrder, MemoryReport } from './memory-child.ts';

const MILLION = 1_000_000;
const GIGABYTE = 1e9;

/** How many are added in each case. */
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

/** Prints bytes a piece, and gives what was measured; throws when a million orders take a gigabyte. */
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
