/** Capital of the house: what its funder paid in stands in the maker's account (CUS-8). */

import { type Micros, toMicros } from '@venue/protocol';
import type { Effects } from '../entry/effects.ts';
import type { Account } from '../state/account.ts';
import { MAKER } from '../state/ids.ts';
import { payIn, payOut } from '../state/ledger.ts';
import type { State } from '../state/state.ts';

export function isFunder({ custody }: State, { address }: Pick<Account, 'address'>): boolean {
  return address !== null && custody.binding?.funder === address;
}

/** Adds to the capital of the house, and to the line that follows from it. */
export function giveToHouse(state: State, effects: Effects, amountMicros: Micros): void {
  const maker = state.accounts[MAKER]!;
  payIn(state, maker, amountMicros);
  state.custody.houseFundedMicros = toMicros(state.custody.houseFundedMicros + amountMicros);
  effects.accountChanged(maker);
}

/** Takes capital out of the house, below zero if it has less. */
export function takeFromHouse(state: State, effects: Effects, amountMicros: Micros): void {
  const maker = state.accounts[MAKER]!;
  payOut(state, maker, amountMicros);
  state.custody.houseFundedMicros = toMicros(state.custody.houseFundedMicros - amountMicros);
  effects.accountChanged(maker);
}
