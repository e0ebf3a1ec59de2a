/** What an entry may look at in the model: a plain count, that only batches have (BAT-7). */

import type { ModelOrder, ModelState } from './state.ts';
import type { Walk } from './walk.ts';

const VISITS_MAX = 50_000;
const PER_FILL = 12;
const PER_LEAVING = 4;
const PER_QUOTE = 5;

/** Before the actions of a batch. */
export function startWork(state: ModelState): void {
  state.visitsLeft = VISITS_MAX;
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

/** Looks at resting orders; those of a set count more. */
export function looks(orders: readonly ModelOrder[]): number {
  return orders.reduce((sum, { set }) => sum + (set === null ? 1 : PER_QUOTE), 0);
}

/** What is carried out; a combo's quotes leave in its rehearsal, too. */
export function carriedVisits(walk: Walk, { fills, isCombo }: { fills: number; isCombo: boolean }): number {
  return fills * PER_FILL + (isCombo ? 2 : 1) * walk.leaving * PER_LEAVING;
}

/** Of halving the units above down to one. */
export function trialVisits(above: bigint, quotes: number): number {
  const trials = above < 2n ? 0 : (above - 1n).toString(2).length;
  return trials * quotes * PER_QUOTE;
}
