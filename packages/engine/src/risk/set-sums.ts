/** Sums over the rows of a quote set, which a change of one row alters. */

import { ExactSum, type Micros } from '@venue/protocol';
import type { Sid } from '../state/ids.ts';
import type { QuotesNeed, RowNeed } from '../state/quote-sets.ts';
import { UnitChanges } from './unit-changes.ts';

/** The memo of what a set needs. */
export class SetSums implements QuotesNeed {
  /** Since the rows were counted last. */
  readonly changes = new UnitChanges();
  /** The rows as they are in the sums. */
  readonly #counted = new Map<Sid, RowNeed>();
  readonly #sum = new ExactSum();
  #levels = 0;
  #rowsWithAsks = 0;
  /** Null while it has to be looked for. */
  #highestUnitMicros: number | null = 0;

  get sumMicros(): Micros {
    return this.#sum.clamped();
  }

  get levels(): number {
    return this.#levels;
  }

  get hasAsks(): boolean {
    return this.#rowsWithAsks > 0;
  }

  get highestUnitMicros(): number {
    this.#highestUnitMicros ??= highestOf(this.#counted.values());
    return this.#highestUnitMicros;
  }

  /** Counts a row in place of what it was; undefined for one without quotes. */
  put(sid: Sid, need: RowNeed | undefined): void {
    const known = this.#counted.get(sid);
    if (need === known) return;
    if (known !== undefined) this.#add(known, -1);
    if (need === undefined) this.#counted.delete(sid);
    else {
      this.#counted.set(sid, need);
      this.#add(need, 1);
    }
    this.#noteHighest(known?.highestUnitMicros ?? 0, need?.highestUnitMicros ?? 0);
  }

  /** Counts no row any more that is not among these. */
  dropOthers(rows: ReadonlyMap<Sid, unknown>): void {
    if (this.#counted.size === rows.size) return;
    for (const sid of this.#counted.keys()) if (!rows.has(sid)) this.put(sid, undefined);
  }

  #add({ sumMicros, levels, hasAsks }: QuotesNeed, sign: 1 | -1): void {
    this.#sum.add(sign * sumMicros);
    this.#levels += sign * levels;
    if (hasAsks) this.#rowsWithAsks += sign;
  }

  #noteHighest(before: number, now: number): void {
    if (this.#highestUnitMicros === null) return;
    if (now >= this.#highestUnitMicros) this.#highestUnitMicros = now;
    else if (before === this.#highestUnitMicros) this.#highestUnitMicros = null;
  }
}

function highestOf(needs: Iterable<QuotesNeed>): number {
  let highest = 0;
  for (const { highestUnitMicros } of needs) highest = Math.max(highest, highestUnitMicros);
  return highest;
}
