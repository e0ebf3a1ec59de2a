/** An account as imagined trades and an imagined market would leave it (CMB-4). */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Account, Simulation, State } from '@venue/engine';
import type { Simulation as SimulationView } from '@venue/protocol';
import { accountView, handlesOf, openOrdersView } from './account.ts';
import { marginReport } from './margin.ts';
import { addLine, pnlCurves } from './pnl-curves.ts';

/** Lines of 41 prices between two pauses: under a millisecond. */
const LINES_AT_ONCE = 100;

/** Resting orders are the account's own: a simulation changes none of them. */
export function simulatedAccount(
  state: State,
  account: Account,
  simulation: Simulation,
): Omit<SimulationView, 'curves'> {
  const handles = handlesOf(state, account);
  const openOrders = openOrdersView(state, account);
  const view = accountView(simulation.state, simulation.account, openOrders);
  return {
    account: { ...view, openOrderCount: handles.length },
    margin: marginReport(simulation.state, simulation.account, handles),
  };
}

/** The curves of a simulation, with pauses in which others are served. */
export async function simulatedCurves({ state, holdings }: Simulation): Promise<SimulationView['curves']> {
  const { lines, curves } = pnlCurves(holdings, state.ts);
  for (const [done, line] of lines.entries()) {
    if (done > 0 && done % LINES_AT_ONCE === 0) await nextTurn();
    addLine(line);
  }
  return curves();
}
