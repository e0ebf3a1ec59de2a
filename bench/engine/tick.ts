/** Prints and checks that every benchmark of a maintenance tick makes. */

import assert from 'node:assert/strict';

const RUNS = 5;
const STALL_MAX_MS = 50;

/**
 * Measures several times and prints a row each, then the verdict on the results, which `measure` has checked. Throws if
 * an entry blocked the event loop for too long.
 */
export function reportTicks(measure: () => { readonly 'longest entry ms': number }, verdict: string): void {
  const rows = Array.from({ length: RUNS }, measure);
  console.table(rows);
  const worst = Math.max(...rows.map((row) => row['longest entry ms']));
  assert.ok(worst < STALL_MAX_MS, `an entry held the event loop for ${worst} ms`);
  console.log(`longest entry ${worst} ms of ${STALL_MAX_MS} allowed; ${verdict}`);
}
