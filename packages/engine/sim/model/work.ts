/** Visits of an entry in the model: a plain count, limited only for batches (BAT-7). */

import type { ModelAccount, ModelOrder, ModelSeries, ModelSet } from './records.ts';
import type { ModelState } from './state.ts';
import { quotesOf, type Walk } from './walk.ts';

const VISITS_MAX = 50_000;
const PER_FILL = 12;
const PER_LEAVING = 4;
const PER_QUOTE = 5;
const PER_POSITION = 2;
const PER_GROUPED = 4;

/** Before the actions of a batch. */
export function startWork(state: ModelState): void {
  state.visitsLeft = VISITS_MAX;
  state.counted.clear();
}

/** Orders placed by themselves are not bounded. */
export function endWork(state: ModelState): void {
  state.visitsLeft = Number.POSITIVE_INFINITY;
}

/** False if the bound is passed. */
export function spend(state: ModelState, visits: number): boolean {
  state.visitsLeft -= visits;
  return state.visitsLeft >= 0;
}

export function isSpent(state: ModelState): boolean {
  return state.visitsLeft < 0;
}

/** Counts the positions of an account, once an entry. */
export function look(state: ModelState, { index, positions }: ModelAccount): void {
  if (!state.counted.has(index)) spend(state, positions.size * PER_POSITION);
  state.counted.add(index);
}

/** Counts what the end of the entry looks at of sets that are filled; false if the bound is passed. */
export function meet(state: ModelState, sets: readonly ModelSet[]): boolean {
  for (const set of sets) {
    look(state, state.accounts[set.owner]!);
    if (!state.counted.has(set)) spend(state, rowsOf(state, set));
    state.counted.add(set);
  }
  return !isSpent(state);
}

/** The number of series that a set quotes. */
export function rowsOf(state: ModelState, set: ModelSet): number {
  return new Set(quotesOf(state, set).map(({ sid }) => sid)).size;
}

/** Where longs cover shorts, the account's positions in the underlyings and expiries of some series. */
export function groupVisits(state: ModelState, account: ModelAccount, named: readonly ModelSeries[]): number {
  if (account.marginMode !== 'defined-risk') return 0;
  const isNamed = (held: ModelSeries) =>
    named.some(({ symbol, expiryTs }) => symbol === held.symbol && expiryTs === held.expiryTs);
  const grouped = [...account.positions.keys()].filter((sid) => isNamed(state.series[sid]!));
  return grouped.length * PER_GROUPED;
}

/** Looks at resting orders; those of a set count more. */
export function looks(orders: readonly ModelOrder[]): number {
  return orders.reduce((sum, { set }) => sum + (set === null ? 1 : PER_QUOTE), 0);
}

/** Visits of the carried-out order; a combo's quotes leave in its rehearsal, too. */
export function carriedVisits(walk: Walk, { fills, isCombo }: { fills: number; isCombo: boolean }): number {
  return fills * PER_FILL + (isCombo ? 2 : 1) * walk.leaving * PER_LEAVING;
}

/** Visits of halving the units above down to one. */
export function trialVisits(above: bigint, quotes: number): number {
  const trials = above < 2n ? 0 : (above - 1n).toString(2).length;
  return trials * quotes * PER_QUOTE;
}
