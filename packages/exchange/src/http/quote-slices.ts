/** Splits a push for the log: only changes, in slices that hold the event loop briefly (MM-3, OWN-62). */

import { isStanding, type OutcomeOf, type RowError, type State } from '@venue/engine';
import type { MicrosLevel, MicrosQuote, QuotesAnswer } from '@venue/protocol';
import type { PlacedQuote, QuotePush } from './quote-push.ts';
import { shownErrors } from './rows.ts';

/** Rows and levels of one entry; a symbol with all its series and three levels a side has 9,184 of them. */
export const SLICE_ITEMS_MAX = 4_096;

export interface Slice {
  readonly rows: readonly PlacedQuote[];
  /** Index in the push of the next slice; the push's length after the last. */
  readonly next: number;
}

/**
 * The next rows of a push that would change something at a time. Rows that already stand or ask for nothing need not cross the
 * log. A row after another of the same series stays, because it must be compared with the result of the first.
 */
export function nextSlice(
  state: State,
  rows: readonly PlacedQuote[],
  { from, ts }: { readonly from: number; readonly ts: number },
): Slice {
  const changed = new Set<number>();
  const slice: PlacedQuote[] = [];
  let items = 0;
  for (let next = from; next < rows.length; next++) {
    const { row } = rows[next]!;
    if (asksNothing(row) || (!changed.has(row.sid) && isStanding(state, row, ts))) continue;
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

/** One for the row, plus the levels it asks for or those that stand, whichever are more. */
function itemsOf(state: State, { sid, bids, asks }: MicrosQuote): number {
  const { quotes } = state.series[sid]!;
  return 1 + levelCount(quotes.bids, bids) + levelCount(quotes.asks, asks);
}

function levelCount(standing: readonly number[], wanted: readonly MicrosLevel[] | null): number {
  return Math.max(standing.length, wanted?.length ?? 0);
}

type Applied = Exclude<OutcomeOf<'quotes'>, { refusal: unknown }>;

/** Sums up the outcomes of a push's slices. */
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

  /** Adds the engine's outcome of a slice, which numbers rows from the start of the slice. */
  add(slice: readonly PlacedQuote[], { applied, kept, rowErrors }: Applied): void {
    this.#applied += applied;
    this.#kept += kept - slice.length;
    for (const { i, error } of rowErrors) this.#errors.push({ i: slice[i]!.i, error });
  }

  /** The answer to the whole push; rows in no slice stand as requested. */
  get answer(): QuotesAnswer {
    const { unknownSids } = this.#push;
    return quotesAnswer({ applied: this.#applied, kept: this.#kept, errors: this.#errors, unknownSids });
  }
}

export interface PushCounts {
  readonly applied: number;
  readonly kept: number;
  readonly errors: readonly RowError[];
  readonly unknownSids: readonly number[];
}

/** The answer to a push of quotes, to a session or a set. */
export function quotesAnswer({ applied, kept, errors, unknownSids }: PushCounts): QuotesAnswer {
  return {
    ...{ applied, kept, errors: errors.length, rowErrors: shownErrors(errors) },
    ...(unknownSids.length > 0 && { unknownSids: [...unknownSids] }),
  };
}
