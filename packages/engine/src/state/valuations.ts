/** Columns of the memo of margin units: numbers by series, with the inputs they were computed from. */

import type { Micros } from '@venue/protocol';
import type { Sid } from './ids.ts';

const CAPACITY_MIN = 64;
/** A row is 64 bytes, one cache line. */
const FLOATS_SHIFT = 3;
const BID = 0;
const ASK = 1;
const SPOT = 2;
const STATUS = 3;
const MARK = 4;
const ENTRY_CHARGE = 5;
const ENTRY_UNIT = 6;
const MAINTENANCE_UNIT = 7;

/** All inputs of a valuation. */
export interface ValuationKey {
  /** Best prices of the book; 0 for an empty side. */
  readonly bid: number;
  readonly ask: number;
  readonly spot: number;
  /** The series' status, as a number. */
  readonly status: number;
}

export interface Valuation {
  readonly markMicros: Micros;
  /** The entry unit without its premium term. */
  readonly entryChargeMicros: Micros;
  readonly entryUnitMicros: Micros;
  readonly maintenanceUnitMicros: Micros;
}

/**
 * One contiguous array of rows, because an order reads every series that its account holds. `risk` defines their
 * meaning.
 */
export class ValuationStore {
  #floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT).fill(Number.NaN);

  /** True if the row of a series was computed from exactly these inputs. */
  isFrom(sid: Sid, key: ValuationKey): boolean {
    const at = sid << FLOATS_SHIFT;
    const floats = this.#floats;
    return (
      floats[at + BID] === key.bid &&
      floats[at + ASK] === key.ask &&
      floats[at + SPOT] === key.spot &&
      floats[at + STATUS] === key.status
    );
  }

  markMicros(sid: Sid): Micros {
    return this.#floats[(sid << FLOATS_SHIFT) + MARK] as Micros;
  }

  entryChargeMicros(sid: Sid): Micros {
    return this.#floats[(sid << FLOATS_SHIFT) + ENTRY_CHARGE] as Micros;
  }

  entryUnitMicros(sid: Sid): Micros {
    return this.#floats[(sid << FLOATS_SHIFT) + ENTRY_UNIT] as Micros;
  }

  maintenanceUnitMicros(sid: Sid): Micros {
    return this.#floats[(sid << FLOATS_SHIFT) + MAINTENANCE_UNIT] as Micros;
  }

  keep(sid: Sid, key: ValuationKey, valuation: Valuation): void {
    const at = sid << FLOATS_SHIFT;
    if (at >= this.#floats.length) this.#grow(at);
    const floats = this.#floats;
    floats[at + BID] = key.bid;
    floats[at + ASK] = key.ask;
    floats[at + SPOT] = key.spot;
    floats[at + STATUS] = key.status;
    floats[at + MARK] = valuation.markMicros;
    floats[at + ENTRY_CHARGE] = valuation.entryChargeMicros;
    floats[at + ENTRY_UNIT] = valuation.entryUnitMicros;
    floats[at + MAINTENANCE_UNIT] = valuation.maintenanceUnitMicros;
  }

  #grow(at: number): void {
    const grown = new Float64Array(Math.max(this.#floats.length, at) * 2).fill(Number.NaN);
    grown.set(this.#floats);
    this.#floats = grown;
  }
}
