/** An account as imagined trades and an imagined market would leave it (CMB-4). */

import type { Account, Simulation, State } from '@venue/engine';
import type { Simulation as SimulationView } from '@venue/protocol';
import { accountView, handlesOf, openOrdersView } from './account.ts';
import { marginReport } from './margin.ts';

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
