/** Memo of risk marks: one row a series, with everything that it was computed from. `risk` defines their meaning. */

import type { Micros } from '@venue/protocol';
import type { Book } from '../book/book.ts';

/** Null where a side of the book holds less than the impact size. */
export interface ImpactPrices {
  readonly bidMicros: Micros | null;
  readonly askMicros: Micros | null;
}

export interface RiskMarkRow {
  /** Inputs of the model. */
  spotMicros: Micros;
  minutes: number;
  iv: number;
  modelMicros: Micros;
  /** Inputs of the impact prices. The book itself is one, because a preview's copy counts versions of its own. */
  book: Book;
  bookVersion: number;
  allowancesVersion: number;
  impactMicros: Micros;
  impact: ImpactPrices;
  /** Of all of the above. */
  markMicros: Micros;
}

/** By sid; absent until a mark is asked for. */
export type RiskMarks = (RiskMarkRow | undefined)[];
