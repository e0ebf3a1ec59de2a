/** Seeds that once failed. They are committed and run by the tests, so that a defect cannot return unnoticed. */

import { readFileSync, writeFileSync } from 'node:fs';

export interface FailingSeed {
  readonly seed: number;
  /** Number of entries up to the failure, or the whole run if that is unknown. */
  readonly steps: number;
  /** Absent for a venue without custody. */
  readonly custody?: true;
  /** Absent for a seed that failed before there were batches, which would change the entries after them. */
  readonly batches?: true;
  /** Absent for a seed that failed before there were quote sets. */
  readonly sets?: true;
  /** The share of entries about margin for defined risk; absent for a seed that failed before there was any. */
  readonly spreads?: number;
  /** The share of entries with combos; absent likewise. */
  readonly combos?: number;
  /** Absent for a seed that failed before a jump could stop liquidation. */
  readonly jumps?: true;
  /** The rule that the seed broke. */
  readonly rule?: string;
}

const FILE = new URL('./failing-seeds.json', import.meta.url);

export function failingSeeds(): FailingSeed[] {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Adds a seed, once. */
export function keepFailing(failing: FailingSeed): void {
  const known = failingSeeds();
  const isKnown = known.some(
    ({ seed, steps, custody, batches, sets, spreads, combos, jumps }) =>
      seed === failing.seed &&
      steps === failing.steps &&
      custody === failing.custody &&
      batches === failing.batches &&
      sets === failing.sets &&
      spreads === failing.spreads &&
      combos === failing.combos &&
      jumps === failing.jumps,
  );
  if (isKnown) return;
  writeFileSync(FILE, `${JSON.stringify([...known, failing], null, 2)}\n`);
}
