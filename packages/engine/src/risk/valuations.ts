/** What the risk of a position is made of, by series: its mark, and the margin of a short at both levels. */

import type { Micros } from '@venue/protocol';
import type { Sid } from '../state/ids.ts';

const CAPACITY_MIN = 64;
const FLOATS_SHIFT = 2;
const MARK = 0;
const ENTRY_UNIT = 1;
const MAINTENANCE_UNIT = 2;
/** Version of the top of the book that the others were computed at; NaN while they are not. */
const VERSION = 3;

export interface Valuation {
  readonly markMicros: Micros;
  readonly entryUnitMicros: Micros;
  readonly maintenanceUnitMicros: Micros;
}

/**
 * Kept until the top of the book, the spot or the status of the series changes: of the first the version tells, for the
 * others there is `forget`. An order asks for all series that its account holds, so they lie in one array.
 */
export class Valuations {
  #floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT).fill(Number.NaN);

  /** Whether the three that follow are those of this version of the top of the book. */
  isKept(sid: Sid, topVersion: number): boolean {
    return this.#floats[(sid << FLOATS_SHIFT) + VERSION] === topVersion;
  }

  markMicros(sid: Sid): Micros {
    return this.#floats[(sid << FLOATS_SHIFT) + MARK] as Micros;
  }

  entryUnitMicros(sid: Sid): Micros {
    return this.#floats[(sid << FLOATS_SHIFT) + ENTRY_UNIT] as Micros;
  }

  maintenanceUnitMicros(sid: Sid): Micros {
    return this.#floats[(sid << FLOATS_SHIFT) + MAINTENANCE_UNIT] as Micros;
  }

  keep(sid: Sid, topVersion: number, valuation: Valuation): void {
    const at = sid << FLOATS_SHIFT;
    if (at >= this.#floats.length) this.#grow(sid);
    const floats = this.#floats;
    floats[at + MARK] = valuation.markMicros;
    floats[at + ENTRY_UNIT] = valuation.entryUnitMicros;
    floats[at + MAINTENANCE_UNIT] = valuation.maintenanceUnitMicros;
    floats[at + VERSION] = topVersion;
  }

  /** After a change of spot or status. */
  forget(sid: Sid): void {
    if (sid << FLOATS_SHIFT < this.#floats.length) this.#floats[(sid << FLOATS_SHIFT) + VERSION] = Number.NaN;
  }

  #grow(sid: Sid): void {
    const length = Math.max(this.#floats.length * 2, (sid + 1) << FLOATS_SHIFT);
    const grown = new Float64Array(length).fill(Number.NaN);
    grown.set(this.#floats);
    this.#floats = grown;
  }
}
