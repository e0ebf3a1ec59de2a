/** A maintenance tick's work on prices and expiries. */

import type { Effects } from '../entry/effects.ts';
import { SETTLE_SLICE_WORK } from '../state/limits.ts';
import type { State } from '../state/state.ts';
import { roll } from './listings.ts';
import { continueSettlement, startSettlement } from './settlement.ts';
import { updateSpots } from './spots.ts';

/** Updates the spots and judges the expiries that are due; `carryOutExpiries` acts on the decisions. */
export function judgeExpiries(state: State, effects: Effects): void {
  updateSpots(state, effects);
  startSettlement(state, effects);
}

/**
 * Settles one slice of the decisions, and rolls the listings once everything is settled. Returns how many series were
 * listed, or null if the settlement must go on in another entry.
 */
export function carryOutExpiries(state: State, effects: Effects, expiries: readonly number[]): number | null {
  const work = continueSettlement(state, effects);
  // A full slice leaves the rest of the tick to the next entry.
  if (work >= SETTLE_SLICE_WORK) return null;
  state.settling = null;
  return roll(state, expiries);
}
