/** The maintenance tick: any node may propose it, and one that comes too early after the last changes nothing. */

import type { MaintainCommand } from './command.ts';
import type { Effects } from './effects.ts';
import { MAINTENANCE_EARLY_SHARE } from './limits.ts';
import { roll } from './listings.ts';
import type { OutcomeOf } from './outcome.ts';
import { expireQuotes } from './quotes.ts';
import { sweepNonces } from './sessions.ts';
import { updateSpots } from './spots.ts';
import { parametersOf, type State } from './state.ts';

/** Brings spots up to time, rolls the listings, pulls the quotes of a silent maker, forgets dead nonces. */
export function maintain(state: State, effects: Effects, command: MaintainCommand): OutcomeOf<'maintain'> {
  const earliest = state.lastMaintenanceTs + parametersOf(state).maintenanceMs * MAINTENANCE_EARLY_SHARE;
  if (state.ts < earliest) return { done: false, listed: 0 };
  state.lastMaintenanceTs = state.ts;
  updateSpots(state, effects);
  const listed = roll(state, command.expiries);
  expireQuotes(state, effects);
  sweepNonces(state);
  return { done: true, listed };
}
