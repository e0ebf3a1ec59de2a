/** Compares the kept sums of quote sets with a walk over their rows. */

import assert from 'node:assert/strict';
import { MICROS_MAX, toMicros } from '@venue/protocol';
import { SetNeed } from '../src/risk/set-reserve.ts';
import type { QuoteSet } from '../src/state/quote-sets.ts';
import type { State } from '../src/state/state.ts';

/** Checks every set with quotes, and returns how many of them have asks. */
export function checkSums(state: State): number {
  let withAsks = 0;
  for (const set of state.quoteSets.quoting) if (checkSumsOf(state, set)) withAsks += 1;
  return withAsks;
}

/** The sums of a set, kept since the last time that it was asked for them, are those of its rows; true if it has asks. */
export function checkSumsOf(state: State, set: QuoteSet): boolean {
  const where = `set ${set.number} of ${set.account}`;
  const sums = new SetNeed(state).addAll(set);
  const rows = new SetNeed(state).addRows(set, () => true);
  assert.equal(sums.hasAsks, rows.hasAsks, `asks of ${where}`);
  for (const left of [1, set.protection.qtyMicros, MICROS_MAX])
    assert.equal(sums.reserveMicros(toMicros(left)), rows.reserveMicros(toMicros(left)), `sums of ${where}`);
  return sums.hasAsks;
}
