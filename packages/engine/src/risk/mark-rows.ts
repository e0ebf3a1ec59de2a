/** Memo of risk marks: one row a series, with everything that it was computed from. */

import type { Micros } from '@venue/protocol';
import type { Book, Sieve } from '../book/book.ts';
import type { SetUse } from '../state/quote-sets.ts';

/** Null where a side of the book holds less than the impact size. */
export interface ImpactPrices {
  readonly bidMicros: Micros | null;
  readonly askMicros: Micros | null;
}

/** An impact price's use of the quote sets that it meets, by owner; null for one that did not let a quote trade in full. */
export type ImpactUses = ReadonlyMap<number, SetUse | null>;

/** How the allowances of quote sets entered impact prices. */
export interface ImpactAllowances {
  /** The version of all sets, when the prices were computed or last found to be as they were. */
  readonly version: number;
  /** The uses of both sides. */
  readonly bids: ImpactUses;
  readonly asks: ImpactUses;
}

export interface MarkRow {
  /** Inputs of the model. */
  spotMicros: Micros;
  minutes: number;
  iv: number;
  modelMicros: Micros;
  /** Inputs of the impact prices. The book itself is one, because a preview's copy counts versions of its own. */
  book: Book;
  impactMicros: Micros;
  /** The orders that count on either side. */
  bids: Sieve;
  bidsVersion: number;
  asks: Sieve;
  asksVersion: number;
  allowances: ImpactAllowances;
  impact: ImpactPrices;
  /** The mark that follows from all of the above. */
  markMicros: Micros;
}

/** By sid; absent until a mark is asked for. */
export type MarkRows = (MarkRow | undefined)[];
