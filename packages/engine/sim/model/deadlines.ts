/** Deadlines in the model: what is due is carried out before the entry's own action, one after the other (DUE-1). */

import { cancelOrders } from './quoting/set-reserves.ts';
import { raiseFloor } from './quoting/sets.ts';
import { pullOrders } from './resting.ts';
import type { ModelState } from './state.ts';

interface Deadline {
  readonly at: number;
  /** Orders until a date before guards. */
  readonly rank: 0 | 1;
  /** Order id or account. */
  readonly of: number;
}

export function carryOutDeadlines(state: ModelState): void {
  const due = deadlines(state).filter(({ at }) => at <= state.ts);
  if (due.length > 1) state.notes.push('several deadlines due');
  for (const { at, rank, of } of due) {
    if (at === state.ts) state.notes.push('deadline at the very time of an entry');
    // An order that a guard took is gone by its date.
    if (rank === 0) expire(state, of);
    else fire(state, of, at);
  }
}

/** By time; guards come after orders of the same time. */
function deadlines({ orders, accounts }: ModelState): Deadline[] {
  const timed = orders.filter(({ terms }) => terms.tif === 'gtd');
  const guarded = accounts.filter(({ guardAt }) => guardAt !== null);
  const all: Deadline[] = [
    ...timed.map(({ id, terms }) => ({ at: terms.expiresAt!, rank: 0 as const, of: id })),
    ...guarded.map(({ index, guardAt }) => ({ at: guardAt!, rank: 1 as const, of: index })),
  ];
  return all.sort((a, b) => a.at - b.at || a.rank - b.rank || a.of - b.of);
}

function expire(state: ModelState, id: number): void {
  pullOrders(state, 'gtd', (order) => order.id === id);
}

function fire(state: ModelState, index: number, at: number): void {
  const account = state.accounts[index]!;
  account.guardAt = null;
  for (const { symbol } of state.instruments) raiseFloor(state, account, symbol, at, 'guard');
  if (state.orders.some(({ owner, terms }) => owner === index && terms.tif === 'gtd'))
    state.notes.push('guard takes an order before its date');
  const pulled = cancelOrders(state, 'guard', ({ owner }) => owner === index);
  state.notes.push(pulled > 0 ? 'guard due with orders' : 'guard due without orders');
}
