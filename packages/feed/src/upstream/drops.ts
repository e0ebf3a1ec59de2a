/** Counts the prices that a live feed did not publish, by reason. */

export type DropReason =
  | 'not a number'
  | 'not positive'
  | 'not representable'
  | 'duplicate'
  | 'history'
  | 'future'
  | 'outlier'
  | 'uncertain'
  | 'crossed book'
  | 'wide book'
  | 'garbled';

/** Counts per reason since the last report. */
export class Drops {
  readonly #counts = new Map<DropReason, number>();

  count(reason: DropReason): void {
    this.#counts.set(reason, this.of(reason) + 1);
  }

  of(reason: DropReason): number {
    return this.#counts.get(reason) ?? 0;
  }

  /** Returns the counts as text, most frequent first, and resets them; '' if nothing was dropped. */
  take(): string {
    const rows = [...this.#counts].sort(([, a], [, b]) => b - a);
    this.#counts.clear();
    return rows.map(([reason, count]) => `${count} ${reason}`).join(', ');
  }
}
