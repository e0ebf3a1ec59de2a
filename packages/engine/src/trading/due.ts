/** Carries out what is due: timed orders leave, and guards take all orders of their accounts (DUE-1, GRD-1). */

import type { Effects } from '../entry/effects.ts';
import type { Account } from '../state/account.ts';
import type { State } from '../state/state.ts';
import { makePushesStale, pullWhere } from './pulls.ts';
import { pullResting } from './resting.ts';

/** Carries out every deadline at or before the log's time, the soonest first. */
export function carryOutDue(state: State, effects: Effects): void {
  const { deadlines, orders } = state;
  for (let due = deadlines.due(state.ts); due !== null; due = deadlines.due(state.ts)) {
    if (due.kind === 'gtd') {
      pullResting(state, effects, orders.find(due.orderId)!, 'gtd');
      continue;
    }
    const account = state.accounts[due.account]!;
    deadlines.setGuard(due.account, null);
    // When the entry came that carried it out is chance; who signed before the deadline meant to be gone by it.
    makePushesStale(state, account, { nonce: due.atMs, symbols: null });
    pullWhere(state, effects, { account, cause: 'guard', includes: () => true });
  }
}

/**
 * When something is due next, milliseconds since the epoch; null if nothing is. The entry that carries it out may be any
 * at or after that time, so a node proposes one then (DUE-1). Costs the same whatever is pending.
 */
export function nextDeadlineMs({ deadlines }: State): number | null {
  return deadlines.nextMs;
}

/** When the account's guard is due, milliseconds since the epoch; null without one (GRD-1). */
export function guardAt(state: State, account: Account): number | null {
  return state.deadlines.guardOf(account.index);
}
