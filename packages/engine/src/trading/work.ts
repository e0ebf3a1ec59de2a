/** How much an entry or a preview may look at (BAT-7). */

import { groupedWith } from '../risk/defined-risk.ts';
import type { Account } from '../state/account.ts';
import type { WalkedSet } from '../state/fillable-walk.ts';
import type { AccountIndex } from '../state/ids.ts';
import {
  VISITS_MAX,
  VISITS_PER_COPY,
  VISITS_PER_FILL,
  VISITS_PER_GROUPED,
  VISITS_PER_LEAVING,
  VISITS_PER_POSITION,
  VISITS_PER_QUOTE,
  VISITS_PER_SET,
} from '../state/limits.ts';
import { isSetOwner, type QuoteSet } from '../state/quote-sets.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';

/**
 * Counts visits of resting orders, not time, which differs between nodes. What costs more than a look counts as several.
 * Once the bound is passed nothing more is within it, so that later actions of the entry are declined too.
 *
 * @example
 * const work = new Work();
 * work.spend(VISITS_MAX); // true
 * work.spend(1); // false, and so is every later one
 */
export class Work {
  #left: number;
  readonly #accounts = new Set<AccountIndex>();
  readonly #sets = new Set<QuoteSet>();

  constructor(visits = VISITS_MAX) {
    this.#left = visits;
  }

  /** Counts visits; false if they pass the bound. */
  spend(visits: number): boolean {
    this.#left -= visits;
    return this.#left >= 0;
  }

  /** Counts that all positions of an account are looked at, once an entry: after that only what changes is. */
  look({ index, positions }: Account): boolean {
    if (this.#accounts.has(index)) return !this.isSpent;
    this.#accounts.add(index);
    return this.spend(positions.size * VISITS_PER_POSITION);
  }

  /** Counts what the end of an entry looks at because sets were filled: their rows, and their accounts' positions. */
  meet({ accounts }: State, sets: readonly Pick<WalkedSet, 'set'>[]): boolean {
    for (const { set } of sets) {
      this.look(accounts[set.account]!);
      if (!this.#sets.has(set)) this.spend(set.rows.size);
      this.#sets.add(set);
    }
    return !this.isSpent;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** Visits left; negative once the bound is passed. */
  get left(): number {
    return this.#left;
  }
}

/** For an order placed by itself: it visits what it trades with, and the edge bounds how many there are. */
export function unboundedWork(): Work {
  return new Work(Number.POSITIVE_INFINITY);
}

/** The visits of one look at a resting order of an owner. */
export function visitsOf(owner: number): number {
  return isSetOwner(owner) ? VISITS_PER_QUOTE : 1;
}

/** Visits of the positions in the groups of series whose requirement an order or a combo has computed again. */
export function groupVisits(state: State, account: Account, series: readonly Series[]): number {
  return groupedWith(state, account, series) * VISITS_PER_GROUPED;
}

/** Counts of an order that is carried out. */
export interface Carried {
  readonly fills: number;
  /** Quotes of sets that its fills use up. */
  readonly leaving: number;
}

export function orderVisits({ fills, leaving }: Carried): number {
  return fills * VISITS_PER_FILL + leavingVisits(leaving, { isCombo: false });
}

export function comboVisits({ fills, leaving }: Carried): number {
  return fills * VISITS_PER_FILL + leavingVisits(leaving, { isCombo: true });
}

/** Visits of quotes that leave with their sets: twice where a combo is rehearsed before it trades. */
export function leavingVisits(quotes: number, { isCombo }: { readonly isCombo: boolean }): number {
  return (isCombo ? 2 : 1) * quotes * VISITS_PER_LEAVING;
}

/** The visits of a search for the largest quantity below one, over so many quotes whose allowance legs share. */
export function searchVisits(units: number, quotes: number): number {
  let trials = 0;
  for (let width = units; width > 1; width = Math.ceil(width / 2)) trials += 1;
  return trials * quotes * VISITS_PER_QUOTE;
}

/** Counts of a preview's copies of the accounts whose quotes it would fill, besides their orders. */
export interface CopiedAccounts {
  readonly sets: number;
  readonly rows: number;
  readonly positions: number;
}

export function accountVisits({ sets, rows, positions }: CopiedAccounts): number {
  return sets * VISITS_PER_SET + rows + positions;
}

export function copyVisits(orders: number): number {
  return orders * VISITS_PER_COPY;
}
