/** Keeps the reserves of quote sets, and pulls the sets of accounts that no longer carry them (QTS-4). */

import { MICROS_MAX, type Micros, toMicros, ZERO } from '@venue/protocol';
import type { Effects } from '../entry/effects.ts';
import { riskOf } from '../risk/margin.ts';
import { SetNeed } from '../risk/set-reserve.ts';
import type { Account } from '../state/account.ts';
import { contractsLeftMicros, hasQuotes, type QuoteSet } from '../state/quote-sets.ts';
import type { State } from '../state/state.ts';
import { pullSet } from './set-quotes.ts';

/** Computes the reserve of a set again, at the current marks and spots. */
export function retakeReserve(state: State, effects: Effects, set: QuoteSet): void {
  const need = new SetNeed(state).addRows(set);
  setReserve(state, effects, set, need.reserveMicros(contractsLeftMicros(set)));
}

/** Replaces the reserve of a set. With absurd marks all that an account reserves stays in the exact range. */
export function setReserve(state: State, effects: Effects, set: QuoteSet, wantedMicros: Micros): void {
  const account = state.accounts[set.account]!;
  const others = account.reservedMicros - set.reserveMicros;
  const reserveMicros = toMicros(Math.min(wantedMicros, MICROS_MAX - others));
  state.quoteSets.stale.delete(set);
  if (reserveMicros === set.reserveMicros) return;
  account.reservedMicros = toMicros(others + reserveMicros);
  set.reserveMicros = reserveMicros;
  effects.accountChanged(account);
}

/**
 * Ends an entry that filled or pulled quotes: computes the reserves of their sets again, then pulls sets of accounts whose
 * quotes were filled and that are in a margin call or have negative buying power.
 */
export function endEntry(state: State, effects: Effects): void {
  const { filled, stale } = state.quoteSets;
  if (stale.size === 0 && filled.size === 0) return;
  for (const set of stale) retakeReserve(state, effects, set);
  const accounts = new Set([...filled].map((set) => set.account));
  filled.clear();
  stale.clear();
  for (const index of [...accounts].sort((a, b) => a - b)) dropSets(state, effects, state.accounts[index]!);
}

/** The same for every set, as cash, marks and spots may have moved without a fill; settled series are forgotten. */
export function endMaintenance(state: State, effects: Effects): void {
  const { quoteSets } = state;
  if (quoteSets.size === 0) return;
  const accounts = new Set<QuoteSet['account']>();
  for (const set of quoteSets) {
    accounts.add(set.account);
    for (const sid of set.rows.keys()) if (state.series[sid]!.status === 'settled') set.rows.delete(sid);
    retakeReserve(state, effects, set);
  }
  quoteSets.filled.clear();
  quoteSets.stale.clear();
  for (const index of [...accounts].sort((a, b) => a - b)) dropSets(state, effects, state.accounts[index]!);
}

/** Pulls the sets of an account, the highest number first, until it is in no call and buying power is not negative. */
function dropSets(state: State, effects: Effects, account: Account): void {
  for (const set of state.quoteSets.of(account.index).toReversed()) {
    if (!isQuoting(set)) continue;
    const { isCalled, lockedMicros } = riskOf(state, account);
    if (!isCalled && account.cashMicros >= lockedMicros) return;
    pullSet(state, set);
    setReserve(state, effects, set, ZERO);
  }
}

/** True if the set has a quote standing. */
export function isQuoting(set: QuoteSet): boolean {
  for (const row of set.rows.values()) if (hasQuotes(row)) return true;
  return false;
}
