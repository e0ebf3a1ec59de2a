/** The maintenance tick. Several nodes may propose it: an early one is ignored (OWN-15). */

import { pruneSpent } from './accounts/spent.ts';
import type { MaintainCommand } from './entry/command.ts';
import type { Effects } from './entry/effects.ts';
import type { OutcomeOf } from './entry/outcome.ts';
import { carryOutExpiries, judgeExpiries } from './expiry/tick.ts';
import { watchJumps } from './liquidation/jumps.ts';
import { continueLiquidation, startLiquidation } from './liquidation/liquidation.ts';
import { expireQuotes } from './quoting/quotes.ts';
import { MAINTENANCE_EARLY_SHARE } from './state/limits.ts';
import { parametersOf, type State } from './state/state.ts';

/**
 * Updates spots and pulls the quotes of a silent maker, then does the tick's jobs in order: settle, roll the listings,
 * liquidate. If the previous tick is unfinished, this one only continues it.
 */
export function maintain(state: State, effects: Effects, command: MaintainCommand): OutcomeOf<'maintain'> {
  const isUnderWay = state.settling !== null || state.liquidationNext !== null;
  if (!isUnderWay) {
    const earliest = state.lastMaintenanceTs + parametersOf(state).maintenanceMs * MAINTENANCE_EARLY_SHARE;
    if (state.ts < earliest) return { done: false, listed: 0, unfinished: false, stopped: [] };
    begin(state, effects);
  }
  let listed = 0;
  if (state.settling !== null) {
    const rolled = carryOutExpiries(state, effects, command.expiries);
    if (rolled === null) return { done: true, listed, unfinished: true, stopped: [] };
    listed = rolled;
    startLiquidation(state);
  }
  // Prints may have come since the run began.
  const stopped = watchJumps(state);
  return { done: true, listed, unfinished: continueLiquidation(state, effects), stopped };
}

function begin(state: State, effects: Effects): void {
  state.lastMaintenanceTs = state.ts;
  judgeExpiries(state, effects);
  expireQuotes(state, effects);
  pruneSpent(state);
}
