/** The expiries of one underlying that can be traded, and how many series each has (STR-5). */

import { type Instrument, isTradable, type State } from '@venue/engine';
import { type Change, type Content, NO_CHANGES } from './content.ts';
import { type EndReason, endOfUnderlying } from './ends.ts';

const MEMBER = 'expiries';

export class ListingContent implements Content {
  /** An expiry comes once, grows, and goes once, by the log's time: nothing is taken back. */
  readonly version = 0;
  readonly #state: State;
  readonly #instrument: Instrument;
  #listings: readonly unknown[] = [];
  #listed = 0;
  #nextCutoffMs = Number.POSITIVE_INFINITY;
  /** Series by expiry. */
  #shown: ReadonlyMap<number, number>;

  constructor(state: State, instrument: Instrument) {
    this.#state = state;
    this.#instrument = instrument;
    this.#shown = this.#count();
  }

  get ended(): EndReason | null {
    return endOfUnderlying(this.#instrument);
  }

  snapshot(): string {
    const rows = [...this.#shown].sort(([a], [b]) => a - b).map(rowOf);
    return `"symbol":${JSON.stringify(this.#instrument.symbol)},"${MEMBER}":[${rows.join(',')}]`;
  }

  changes(): readonly Change[] {
    const { series } = this.#instrument;
    const isSame = series === this.#listings && series.length === this.#listed;
    if (isSame && this.#state.ts < this.#nextCutoffMs) return NO_CHANGES;
    const before = this.#shown;
    this.#shown = this.#count();
    const changed = [...this.#shown].filter(([expiryTs, count]) => before.get(expiryTs) !== count);
    const gone = [...before.keys()].filter((expiryTs) => !this.#shown.has(expiryTs));
    return [
      ...gone.map((key) => ({ member: MEMBER, key, json: JSON.stringify({ expiryTs: key, gone: true }) })),
      ...changed.map((row) => ({ member: MEMBER, key: row[0], json: rowOf(row) })),
    ];
  }

  #count(): ReadonlyMap<number, number> {
    const { series } = this.#instrument;
    this.#listings = series;
    this.#listed = series.length;
    this.#nextCutoffMs = Number.POSITIVE_INFINITY;
    const counts = new Map<number, number>();
    for (const one of series) {
      if (!isTradable(one, this.#state.ts)) continue;
      this.#nextCutoffMs = Math.min(this.#nextCutoffMs, one.cutoffMs);
      counts.set(one.expiryTs, (counts.get(one.expiryTs) ?? 0) + 1);
    }
    return counts;
  }
}

function rowOf([expiryTs, series]: readonly [number, number]): string {
  return JSON.stringify({ expiryTs, series });
}
