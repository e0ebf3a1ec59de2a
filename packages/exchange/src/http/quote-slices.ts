/** A push as the log takes it: what changes something, in slices that hold the event loop only shortly (MM-3, OWN-62). */

import { isStanding, type OutcomeOf, type RowError, type State } from '@venue/engine';
import type { MicrosLevel, MicrosQuote, QuotesAnswer } from '@venue/protocol';
import type { PlacedQuote, QuotePush } from './quote-push.ts';
import { shownErrors } from './rows.ts';

/** Rows and levels of one entry; a symbol at its fullest with three levels a side is 9,184 of them. */
export const SLICE_ITEMS_MAX = 4_096;

export interface Slice {
  readonly rows: readonly PlacedQuote[];
  /** Where in the push the next one begins; its end behind the last. */
  readonly next: number;
}

/**
 * The next rows of a push that would change something: what stands already need not cross the log, nor what asks for
 * nothing. A row behind another of the same series stays, as it is what the other leaves that it has to be compared with.
 */
export function nextSlice(state: State, rows: readonly PlacedQuote[], from: number): Slice {
  const changed = new Set<number>();
  const slice: PlacedQuote[] = [];
  let items = 0;
  for (let next = from; next < rows.length; next++) {
    const { row } = rows[next]!;
    if (asksNothing(row) || (!changed.has(row.sid) && isStanding(state, row))) continue;
    items += itemsOf(state, row);
    if (items > SLICE_ITEMS_MAX) return { rows: slice, next };
    changed.add(row.sid);
    slice.push(rows[next]!);
  }
  return { rows: slice, next: rows.length };
}

function asksNothing({ bids, asks, iv, delta }: MicrosQuote): boolean {
  return bids === null && asks === null && iv === undefined && delta === undefined;
}

/** The row and its levels: those it asks for, or those that stand where they are more. */
function itemsOf(state: State, { sid, bids, asks }: MicrosQuote): number {
  const { quotes } = state.series[sid]!;
  return 1 + levelCount(quotes.bids, bids) + levelCount(quotes.asks, asks);
}

function levelCount(standing: readonly number[], wanted: readonly MicrosLevel[] | null): number {
  return Math.max(standing.length, wanted?.length ?? 0);
}

type Applied = Exclude<OutcomeOf<'quotes'>, { refusal: unknown }>;

/** The outcome of a push, slice by slice. */
export class PushTally {
  readonly #push: QuotePush;
  readonly #errors: RowError[];
  #applied = 0;
  #kept: number;

  constructor(push: QuotePush) {
    this.#push = push;
    this.#errors = [...push.rowErrors];
    this.#kept = push.rows.length;
  }

  /** Takes in what the engine made of a slice; it counts the rows from the first of the slice on. */
  add(slice: readonly PlacedQuote[], { applied, kept, rowErrors }: Applied): void {
    this.#applied += applied;
    this.#kept += kept - slice.length;
    for (const { i, error } of rowErrors) this.#errors.push({ i: slice[i]!.i, error });
  }

  /** The answer to the whole push; what was in no slice stands as it was asked for. */
  get answer(): QuotesAnswer {
    const { unknownSids } = this.#push;
    return {
      applied: this.#applied,
      kept: this.#kept,
      errors: this.#errors.length,
      rowErrors: shownErrors(this.#errors),
      ...(unknownSids.length > 0 && { unknownSids: [...unknownSids] }),
    };
  }
}
