/** The maintenance tick. Nodes may propose it several times over: an early one is ignored (OWN-15). */

import { forgetChallenges } from './accounts/challenges.ts';
import { sweepNonces } from './accounts/sessions.ts';
import type { MaintainCommand } from './entry/command.ts';
import type { Effects } from './entry/effects.ts';
import type { OutcomeOf } from './entry/outcome.ts';
import { roll } from './expiry/listings.ts';
import { continueSettlement, startSettlement } from './expiry/settlement.ts';
import { updateSpots } from './expiry/spots.ts';
import { continueSweep, startSweep } from './liquidation/liquidation.ts';
import { expireQuotes } from './quoting/quotes.ts';
import { MAINTENANCE_EARLY_SHARE, SETTLE_SLICE_WORK } from './state/limits.ts';
import { parametersOf, type State } from './state/state.ts';

/**
 * Brings spots up to time and pulls the quotes of a silent maker, then does the tick's jobs in their order: settle, roll
 * the listings, liquidate. A tick that meets an unfinished one only carries that on.
 */
export function maintain(state: State, effects: Effects, command: MaintainCommand): OutcomeOf<'maintain'> {
  const isUnderWay = state.settling !== null || state.sweepNext !== null;
  if (!isUnderWay) {
    const earliest = state.lastMaintenanceTs + parametersOf(state).maintenanceMs * MAINTENANCE_EARLY_SHARE;
    if (state.ts < earliest) return { done: false, listed: 0, unfinished: false };
    begin(state, effects);
  }
  let listed = 0;
  if (state.settling !== null) {
    // A slice of settlement that was worth the name leaves the rest of the tick to the next entry.
    const work = continueSettlement(state, effects);
    if (work >= SETTLE_SLICE_WORK) return { done: true, listed, unfinished: true };
    state.settling = null;
    listed = roll(state, command.expiries);
    startSweep(state);
  }
  return { done: true, listed, unfinished: continueSweep(state, effects) };
}

function begin(state: State, effects: Effects): void {
  state.lastMaintenanceTs = state.ts;
  updateSpots(state, effects);
  expireQuotes(state, effects);
  sweepNonces(state);
  forgetChallenges(state);
  startSettlement(state);
}
