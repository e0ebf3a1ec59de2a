/** Which margin units may have changed since a reader of many of them looked last. */

import { minutesLeft } from '@venue/protocol/margin';
import { isCoveredAnywhere } from '../state/fillable-walk.ts';
import type { Sid } from '../state/ids.ts';
import { ANNOTATION_MS } from '../state/limits.ts';
import type { VenueParameters } from '../state/parameters.ts';
import type { Instrument, Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { ivAt } from './annotations.ts';
import type { MarkRow } from './mark-rows.ts';

const MINUTE_MS = 60_000;
/** Strangers can make any number of sets; a reader remembers so many of those that bound its units. */
const SETS_NOTED_MAX = 128;

/**
 * Watches the units of live series of one underlying for a reader that has read them all. Books announce their changes, and
 * whatever else a unit depends on is compared here.
 */
export class UnitChanges {
  /** Version of the books' changes. */
  #seen = -1;
  #parameters: VenueParameters | null = null;
  #spotMicros = 0;
  /** The time of the last call: that of a preview may be ahead of the entries that follow it. */
  #takenTs = 0;
  /** Time and age of volatilities let the model stand up to here. */
  #untilTs = Number.POSITIVE_INFINITY;
  /** Version of the allowances of quote sets. */
  #allowances = 0;
  /** The most that any impact price takes of a quote set, by owner; null for one that did not let a quote trade in full. */
  readonly #taken = new Map<number, number | null>();
  /** True if there are more: then every change of an allowance counts. */
  #areTooMany = false;

  /** The series, some more than once, whose units or books may have changed since the last call; null for all. */
  take(state: State, { spotMicros }: Instrument): readonly Sid[] | null {
    const { orders, parameters, quoteSets } = state;
    const isSame =
      this.#spotMicros === spotMicros &&
      this.#parameters === parameters &&
      this.#takenTs <= state.ts &&
      this.#untilTs >= state.ts &&
      this.#areAllowancesSame(state);
    const changed = isSame ? orders.changes.since(this.#seen) : null;
    this.#seen = orders.changes.version;
    this.#parameters = parameters;
    this.#spotMicros = spotMicros;
    this.#takenTs = state.ts;
    this.#allowances = quoteSets.version;
    if (changed === null) {
      this.#untilTs = Number.POSITIVE_INFINITY;
      this.#taken.clear();
      this.#areTooMany = false;
    }
    return changed as Sid[] | null;
  }

  /** Notes what a unit by the model depends on that was just read, with the memo of its mark. */
  noteRead(state: State, series: Series, row: MarkRow): void {
    // Without a volatility nothing but the spot counts, until a new one is announced.
    if (ivAt(series, state.ts) === null) return;
    const minuteEnds = series.cutoffMs - (minutesLeft(series, state.ts) - 1) * MINUTE_MS - 1;
    this.#untilTs = Math.min(this.#untilTs, minuteEnds, series.annotatedAt + ANNOTATION_MS);
    for (const [owner, takenMicros] of takenOf(row)) {
      if (this.#areTooMany) return;
      this.#noteTaken(owner, takenMicros);
    }
  }

  #noteTaken(owner: number, takenMicros: number | null): void {
    const most = this.#taken.get(owner);
    if (takenMicros === null || most === null) this.#taken.set(owner, null);
    else this.#taken.set(owner, Math.max(most ?? 0, takenMicros));
    this.#areTooMany = this.#taken.size > SETS_NOTED_MAX;
  }

  /** True if no allowance that has changed can have changed an impact price. */
  #areAllowancesSame(state: State): boolean {
    if (this.#taken.size === 0 || this.#allowances === state.quoteSets.version) return true;
    const changed = this.#areTooMany ? null : state.quoteSets.changedSince(this.#allowances);
    return changed?.every((owner) => this.#isSame(state, owner)) ?? false;
  }

  #isSame({ quoteSets }: State, owner: number): boolean {
    const taken = this.#taken.get(owner);
    if (taken === undefined) return true;
    const set = quoteSets.findOwner(owner);
    // The quotes of a set that has ended have left their books, which announced it.
    if (set === null) return true;
    return taken !== null && isCoveredAnywhere(set, taken);
  }
}

/** The owners of the sets whose allowances entered the impact prices of a mark, some more than once. */
function* takenOf({ bids, asks, allowances }: MarkRow): Generator<readonly [number, number | null]> {
  for (const uses of [allowances.bids, allowances.asks])
    for (const [owner, use] of uses) yield [owner, use?.takenMicros ?? null];
  for (const sieve of [bids, asks]) for (const owner of sieve.struckOwners) yield [owner, null];
}
