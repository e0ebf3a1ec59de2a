/** The maker's counts since its start and since the last status line. */

import type { FillRecord } from '@venue/protocol';

export interface Counts {
  readonly rows: number;
  readonly refused: number;
  readonly pushes: number;
  /** Rounds skipped because a push took too long. */
  readonly skipped: number;
  readonly fills: number;
  /** Edge of each fill over the fair value at the time, in dollars; positive is earned. */
  readonly edgeUsd: number;
}

type Count = keyof Counts;

const NONE: Counts = { rows: 0, refused: 0, pushes: 0, skipped: 0, fills: 0, edgeUsd: 0 };
/** Round trips from which the percentiles are computed. */
const TRIPS_KEPT = 1_024;

export class Stats {
  #total: Counts = NONE;
  #marked: Counts = NONE;
  #trips: number[] = [];

  /** Counts since the start. */
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

  /** Records a trade with the series' fair value, or null if that is unknown. */
  fill({ side, price, qty }: FillRecord, fair: number | null): void {
    const edgeUsd = fair === null ? 0 : (side === 'sell' ? price - fair : fair - price) * qty;
    this.add({ fills: 1, edgeUsd });
  }

  /** Round trip in ms that the given share of recent pushes did not exceed; 0 before the first. */
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
