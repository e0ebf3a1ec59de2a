/** What a maintenance tick does about prices and expiries. */

import type { Effects } from '../entry/effects.ts';
import { SETTLE_SLICE_WORK } from '../state/limits.ts';
import type { State } from '../state/state.ts';
import { roll } from './listings.ts';
import { continueSettlement, startSettlement } from './settlement.ts';
import { updateSpots } from './spots.ts';

/** Brings spots up to time and judges the expiries that have come; `carryOutExpiries` does what follows from that. */
export function judgeExpiries(state: State, effects: Effects): void {
  updateSpots(state, effects);
  startSettlement(state);
}

/**
 * Settles a slice of what was judged, and rolls the listings once all of it is settled. Returns how many series were
 * listed, or null where the settlement has to go on in another entry.
 */
export function carryOutExpiries(state: State, effects: Effects, expiries: readonly number[]): number | null {
  const work = continueSettlement(state, effects);
  // A slice that was worth the name leaves the rest of the tick to the next entry.
  if (work >= SETTLE_SLICE_WORK) return null;
  state.settling = null;
  return roll(state, expiries);
}
