/** The seeds that ever failed: committed, and run first by the test, so that a defect cannot come back unseen. */

import { readFileSync, writeFileSync } from 'node:fs';

export interface FailingSeed {
  readonly seed: number;
  /** What the seed found. */
  readonly found?: string;
}

const FILE = new URL('./failing-seeds.json', import.meta.url);

export function failingSeeds(): FailingSeed[] {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Adds a seed, once. */
export function keepFailing(failing: FailingSeed): void {
  const known = failingSeeds();
  if (known.some(({ seed }) => seed === failing.seed)) return;
  writeFileSync(FILE, `${JSON.stringify([...known, failing], null, 2)}\n`);
}
