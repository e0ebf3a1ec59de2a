/**
 * Seeds that have failed before. They are committed, and the test runs them first, so a fixed defect cannot return
 * unseen.
 */

import { readFileSync, writeFileSync } from 'node:fs';

export interface FailingSeed {
  readonly seed: number;
  /** The fault that the seed revealed. */
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
