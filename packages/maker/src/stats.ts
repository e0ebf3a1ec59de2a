/** What the maker did: counts since its start and since the last line a person read. */

import type { FillRecord } from '@venue/protocol';

export interface Counts {
  readonly rows: number;
  readonly refused: number;
  readonly pushes: number;
  /** Looks at the market left out because a push took so long. */
  readonly skipped: number;
  readonly fills: number;
  /** Price of each fill against the fair value of its moment, in dollars; positive is earned. */
  readonly edgeUsd: number;
}

type Count = keyof Counts;

const NONE: Counts = { rows: 0, refused: 0, pushes: 0, skipped: 0, fills: 0, edgeUsd: 0 };
/** Round trips that the percentiles are taken from. */
const TRIPS_KEPT = 1_024;

export class Stats {
  #total: Counts = NONE;
  #marked: Counts = NONE;
  #trips: number[] = [];

  /** Since the start. */
  get total(): Counts {
    return this.#total;
  }

  add(counts: Partial<Counts>): void {
    const names = Object.keys(NONE) as Count[];
    this.#total = countsOf(names, (name) => this.#total[name] + (counts[name] ?? 0));
  }

  /** Time from the first byte of a push to the last of its answer. */
  trip(ms: number): void {
    this.#trips.push(ms);
    if (this.#trips.length > TRIPS_KEPT) this.#trips.shift();
  }

  /** A trade of the maker and what the series was thought to be worth, or null where that is not known. */
  fill({ side, price, qty }: FillRecord, fair: number | null): void {
    const edgeUsd = fair === null ? 0 : (side === 'sell' ? price - fair : fair - price) * qty;
    this.add({ fills: 1, edgeUsd });
  }

  /** Round trip in ms that the given share of the last pushes kept under; 0 before the first. */
  percentile(share: number): number {
    const sorted = this.#trips.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  }

  /** Counts since the last call. */
  take(): Counts {
    const names = Object.keys(NONE) as Count[];
    const taken = countsOf(names, (name) => this.#total[name] - this.#marked[name]);
    this.#marked = this.#total;
    return taken;
  }
}

function countsOf(names: readonly Count[], of: (name: Count) => number): Counts {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as unknown as Counts;
}
