/** Keeps the reserves of quote sets, and pulls the sets of accounts that no longer carry them (QTS-4). */

import { MICROS_MAX, type Micros, toMicros, ZERO } from '@venue/protocol';
import type { Effects } from '../entry/effects.ts';
import { riskOf } from '../risk/margin.ts';
import { meansMicros, SetNeed } from '../risk/set-reserve.ts';
import type { Account } from '../state/account.ts';
import { contractsLeftMicros, type QuoteSet } from '../state/quote-sets.ts';
import type { State } from '../state/state.ts';
import { pullSet } from './set-quotes.ts';
import type { Work } from './work.ts';

/** Computes the reserve of a set again, at the current marks and spots. */
export function retakeReserve(state: State, effects: Effects, set: QuoteSet): void {
  const need = new SetNeed(state).addAll(set);
  const reserveMicros = need.retakenMicros(contractsLeftMicros(set), () => meansMicros(state, set));
  setReserve(state, effects, set, reserveMicros);
}

/** Frees what quotes of an account have reserved that left in this entry. Their sets' rows count as visits. */
export function retakeStale(state: State, effects: Effects, account: Account, work: Work): void {
  for (const set of state.quoteSets.of(account.index)) {
    if (!state.quoteSets.stale.has(set) || work.isSpent) continue;
    work.look(account);
    work.spend(set.rows.size);
    retakeReserve(state, effects, set);
  }
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
  state.quoteSets.showChanges();
  if (stale.size === 0 && filled.size === 0) return;
  for (const set of [...stale].sort(byAccount)) retakeReserve(state, effects, set);
  const accounts = new Set([...filled].map((set) => set.account));
  filled.clear();
  stale.clear();
  for (const index of [...accounts].sort((a, b) => a - b)) dropSets(state, effects, state.accounts[index]!);
  state.quoteSets.showChanges();
}

/** In the order in which each takes what it can of the account's buying power. */
export function byAccount(a: QuoteSet, b: QuoteSet): number {
  return a.account - b.account || a.number - b.number;
}

/** The same for every set with quotes, as cash, marks and spots may have moved without a fill. */
export function endMaintenance(state: State, effects: Effects): void {
  const { quoteSets } = state;
  quoteSets.showChanges();
  const sets = [...new Set([...quoteSets.quoting, ...quoteSets.stale])].sort(byAccount);
  for (const set of sets) retakeReserve(state, effects, set);
  const accounts = new Set(sets.map(({ account }) => account));
  quoteSets.filled.clear();
  quoteSets.stale.clear();
  for (const index of [...accounts].sort((a, b) => a - b)) dropSets(state, effects, state.accounts[index]!);
  quoteSets.showChanges();
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
export function isQuoting({ rows }: QuoteSet): boolean {
  return rows.size > 0;
}
