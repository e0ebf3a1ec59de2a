/** Columns of the memo of margin units: numbers by series, with the inputs they were computed from. */

import { clampMicros, type Micros } from '@venue/protocol';
import type { Sid } from '../state/ids.ts';

const CAPACITY_MIN = 64;
/** A row is 64 bytes, one cache line. */
const FLOATS_SHIFT = 3;
const BID = 0;
const ASK = 1;
const SPOT = 2;
const STATUS = 3;
const MARK = 4;
const PREMIUM = 5;
const ENTRY_CHARGE = 6;
const MAINTENANCE_CHARGE = 7;

/** All inputs of a mark and its premium term. */
export interface ValuationKey {
  /** Best prices of the book; 0 for an empty side. */
  readonly bid: number;
  readonly ask: number;
  readonly spot: number;
  /** The series' status, as a number. */
  readonly status: number;
}

/** The margin of one short contract without its premium term. It depends on the spot alone, the mark on the whole key. */
export interface MarginCharges {
  readonly entryMicros: Micros;
  readonly maintenanceMicros: Micros;
}

/** One contiguous array of rows, because an order reads every series that its account holds. */
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
    return this.#unit(sid, ENTRY_CHARGE);
  }

  maintenanceUnitMicros(sid: Sid): Micros {
    return this.#unit(sid, MAINTENANCE_CHARGE);
  }

  /** True if the charges were computed from this spot. */
  isChargedAt(sid: Sid, spotMicros: Micros): boolean {
    return this.#floats[(sid << FLOATS_SHIFT) + SPOT] === spotMicros;
  }

  charge(sid: Sid, spotMicros: Micros, charges: MarginCharges): void {
    const at = sid << FLOATS_SHIFT;
    if (at >= this.#floats.length) this.#grow(at);
    const floats = this.#floats;
    floats[at + SPOT] = spotMicros;
    floats[at + ENTRY_CHARGE] = charges.entryMicros;
    floats[at + MAINTENANCE_CHARGE] = charges.maintenanceMicros;
  }

  /** Keeps a mark and its premium term; the charges must be those of the key's spot. */
  mark(
    sid: Sid,
    key: ValuationKey,
    value: { readonly markMicros: Micros; readonly premiumMicros: Micros },
  ): void {
    const at = sid << FLOATS_SHIFT;
    const floats = this.#floats;
    floats[at + BID] = key.bid;
    floats[at + ASK] = key.ask;
    floats[at + STATUS] = key.status;
    floats[at + MARK] = value.markMicros;
    floats[at + PREMIUM] = value.premiumMicros;
  }

  #unit(sid: Sid, charge: number): Micros {
    const at = sid << FLOATS_SHIFT;
    return clampMicros(this.#floats[at + PREMIUM]! + this.#floats[at + charge]!);
  }

  #grow(at: number): void {
    const grown = new Float64Array(Math.max(this.#floats.length, at) * 2).fill(Number.NaN);
    grown.set(this.#floats);
    this.#floats = grown;
  }
}
