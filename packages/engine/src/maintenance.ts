/** The maintenance tick. Nodes may propose it several times over: an early one is ignored (OWN-15). */

import type { MaintainCommand } from './command.ts';
import type { Effects } from './effects.ts';
import { MAINTENANCE_EARLY_SHARE } from './limits.ts';
import { continueSweep, startSweep } from './liquidation.ts';
import { roll } from './listings.ts';
import type { OutcomeOf } from './outcome.ts';
import { expireQuotes } from './quotes.ts';
import { sweepNonces } from './sessions.ts';
import { updateSpots } from './spots.ts';
import { parametersOf, type State } from './state.ts';

/**
 * Brings spots up to time and pulls the quotes of a silent maker, then does the tick's jobs in their order: roll the
 * listings, liquidate. A tick that meets an unfinished sweep only carries that on.
 */
export function maintain(state: State, effects: Effects, command: MaintainCommand): OutcomeOf<'maintain'> {
  if (state.sweepNext !== null) {
    return { done: true, listed: 0, unfinished: continueSweep(state, effects) };
  }
  const earliest = state.lastMaintenanceTs + parametersOf(state).maintenanceMs * MAINTENANCE_EARLY_SHARE;
  if (state.ts < earliest) return { done: false, listed: 0, unfinished: false };
  state.lastMaintenanceTs = state.ts;
  updateSpots(state, effects);
  expireQuotes(state, effects);
  sweepNonces(state);
  const listed = roll(state, command.expiries);
  startSweep(state);
  return { done: true, listed, unfinished: continueSweep(state, effects) };
}
