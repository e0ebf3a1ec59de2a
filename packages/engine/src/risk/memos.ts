/** Risk's memos of a state, each of which compares its inputs at every use. */

import type { Account } from '../state/account.ts';
import type { QuoteSet } from '../state/quote-sets.ts';
import type { State } from '../state/state.ts';
import type { MarginGroups } from './account-groups.ts';
import type { MarkRows } from './mark-rows.ts';
import type { SetSums } from './set-sums.ts';
import { ValuationStore } from './valuations.ts';

interface RiskMemos {
  readonly valuations: ValuationStore;
  readonly markRows: MarkRows;
  readonly marginGroups: MarginGroups;
  readonly setSums: WeakMap<QuoteSet, SetSums>;
}

export function memosOf(state: State): RiskMemos {
  state.riskMemos ??= {
    valuations: new ValuationStore(),
    markRows: [],
    marginGroups: new Map(),
    setSums: new WeakMap(),
  } satisfies RiskMemos;
  return state.riskMemos as RiskMemos;
}

/**
 * For a copy of a state whose series may have books of their own. Versions of allowances count on by themselves in a
 * copy, and groups are of its own positions.
 */
export function memosForCopy(original: State): object {
  const { valuations, markRows } = memosOf(original);
  return {
    valuations,
    markRows: [...markRows],
    marginGroups: new Map(),
    setSums: new WeakMap(),
  } satisfies RiskMemos;
}

/** Call where an account's groups no longer apply: it has left their mode. */
export function forgetGroups(state: State, account: Account): void {
  memosOf(state).marginGroups.delete(account.index);
}
