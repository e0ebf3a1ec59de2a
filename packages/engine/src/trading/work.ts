/** How much an entry or a preview may look at (BAT-7). */

import {
  VISITS_MAX,
  VISITS_PER_COPY,
  VISITS_PER_FILL,
  VISITS_PER_LEAVING,
  VISITS_PER_QUOTE,
  VISITS_PER_SET,
} from '../state/limits.ts';
import { isSetOwner } from '../state/quote-sets.ts';

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

  constructor(visits = VISITS_MAX) {
    this.#left = visits;
  }

  /** Counts visits; false if they pass the bound. */
  spend(visits: number): boolean {
    this.#left -= visits;
    return this.#left >= 0;
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

/** Of one look at a resting order of an owner. */
export function visitsOf(owner: number): number {
  return isSetOwner(owner) ? VISITS_PER_QUOTE : 1;
}

/** What is changed by an order that is carried out. */
export interface Carried {
  readonly fills: number;
  /** Quotes of sets that its fills use up. */
  readonly leaving: number;
}

export function orderVisits({ fills, leaving }: Carried): number {
  return fills * VISITS_PER_FILL + leaving * VISITS_PER_LEAVING;
}

/** Quotes that leave do so twice, as a combo is rehearsed before it trades. */
export function comboVisits({ fills, leaving }: Carried): number {
  return fills * VISITS_PER_FILL + 2 * leaving * VISITS_PER_LEAVING;
}

/** Of a search for the largest quantity below one, over so many quotes whose allowance legs share. */
export function searchVisits(units: number, quotes: number): number {
  let trials = 0;
  for (let width = units; width > 1; width = Math.ceil(width / 2)) trials += 1;
  return trials * quotes * VISITS_PER_QUOTE;
}

/** What is copied for a preview of the accounts whose quotes it would fill, besides their orders. */
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
