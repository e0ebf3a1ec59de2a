/** The seeds that ever failed: committed, and run by the tests, so that a defect cannot come back unseen. */

import { readFileSync, writeFileSync } from 'node:fs';

export interface FailingSeed {
  readonly seed: number;
  /** Entries up to the one at which it failed; all of its run where nobody wrote that down. */
  readonly steps: number;
  /** Absent for a venue without custody. */
  readonly custody?: true;
  /** What the seed found. */
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
    ({ seed, steps, custody }) =>
      seed === failing.seed && steps === failing.steps && custody === failing.custody,
  );
  if (isKnown) return;
  writeFileSync(FILE, `${JSON.stringify([...known, failing], null, 2)}\n`);
}
