/** Messages between the page and its worker. */

import type { Book } from './book.ts';
import type { CallPoints, HeatCell, TableEdges } from './survey.ts';
import type { Imagined, NetGreeks, Outlook } from './what-if.ts';

export interface Question {
  readonly at: Imagined;
  /** Another than before; null for the same. */
  readonly book: Book | null;
}

export interface Answer {
  readonly at: Imagined;
  readonly outlook: Outlook;
  readonly greeks: readonly NetGreeks[];
}

export interface Survey extends TableEdges {
  /** By date and by move of spot. */
  readonly table: readonly (readonly HeatCell[])[];
  readonly calls: CallPoints;
}

export type Reply = { readonly answer: Answer } | { readonly survey: Survey };
