/** The inputs of margin, by an account's positions: one row each, at the place of the position. */

import { ExactSum, MICROS_PER_UNIT, type Micros } from '@venue/protocol';
import type { Positions } from '../state/positions.ts';

/** A row is 64 bytes, a line of cache. */
const ROW_SHIFT = 3;
const NET = 0;
const ENTRY_UNIT = 1;
const QTY = 2;
const MAINTENANCE_UNIT = 3;
const MARK = 4;
const OPENING = 5;
const ROWS_MIN = 16;

/** Told where positions came or went. */
export interface PlaceListener {
  /** The place has a position that is still to be read; its row holds zeros. */
  joined(place: number): void;
  /** The last place has lost its position; its row still holds what it was. */
  left(place: number): void;
}

/** Rows of one account's positions in one array, because a look at the account compares every one of them. */
export class PositionInputs {
  #floats = new Float64Array(ROWS_MIN << ROW_SHIFT);
  #size = 0;
  readonly #shifts: number;
  #version = -1;
  /** The sum of quantities times marks, each rounded down. */
  readonly value = new ExactSum();

  /** Without rows: `keepUp` tells of all positions. */
  constructor({ shifts }: Positions) {
    this.#shifts = shifts;
  }

  /** False once positions have moved up to others' places: everything then begins again. */
  isInPlace({ shifts }: Positions): boolean {
    return shifts === this.#shifts;
  }

  /** Adds and drops rows at the end, so that they are those of the positions. */
  keepUp(positions: Positions, listener: PlaceListener): void {
    if (this.#version === positions.version) return;
    this.#version = positions.version;
    // Below a position that was opened no later nothing has changed either.
    let kept = Math.min(this.#size, positions.size);
    while (kept > 0 && this.#floats[((kept - 1) << ROW_SHIFT) + OPENING] !== positions.openingAt(kept - 1))
      kept -= 1;
    while (this.#size > kept) this.#drop(listener);
    while (this.#size < positions.size) this.#add(positions, listener);
  }

  isUpToDate({ version, shifts }: Positions): boolean {
    return version === this.#version && shifts === this.#shifts;
  }

  /** The same rows for a copy of the positions, place by place. */
  copyFor(copies: Positions): PositionInputs {
    const copy = new PositionInputs(copies);
    copy.#floats = this.#floats.slice();
    copy.#size = this.#size;
    copy.#version = copies.version;
    copy.value.addSum(this.value);
    for (let place = 0; place < copy.#size; place++)
      copy.#floats[(place << ROW_SHIFT) + OPENING] = copies.openingAt(place);
    return copy;
  }

  /** The quantity as if every resting sell had filled. */
  netMicros(place: number): number {
    return this.#floats[(place << ROW_SHIFT) + NET]!;
  }

  entryUnitMicros(place: number): Micros {
    return this.#floats[(place << ROW_SHIFT) + ENTRY_UNIT] as Micros;
  }

  /** The quantity held. */
  qtyMicros(place: number): number {
    return this.#floats[(place << ROW_SHIFT) + QTY]!;
  }

  maintenanceUnitMicros(place: number): Micros {
    return this.#floats[(place << ROW_SHIFT) + MAINTENANCE_UNIT] as Micros;
  }

  markMicros(place: number): number {
    return this.#floats[(place << ROW_SHIFT) + MARK]!;
  }

  /** Keeps what the entry level is computed from. Returns true if it is new. */
  setEntry(place: number, netMicros: number, unitMicros: number): boolean {
    const at = place << ROW_SHIFT;
    const floats = this.#floats;
    if (floats[at + NET] === netMicros && floats[at + ENTRY_UNIT] === unitMicros) return false;
    floats[at + NET] = netMicros;
    floats[at + ENTRY_UNIT] = unitMicros;
    return true;
  }

  /** The same of the maintenance level, and of the value. */
  setMaintenance(place: number, qtyMicros: number, unitMicros: number, markMicros: number): boolean {
    const at = place << ROW_SHIFT;
    const floats = this.#floats;
    const [qty, mark] = [floats[at + QTY]!, floats[at + MARK]!];
    if (qty === qtyMicros && floats[at + MAINTENANCE_UNIT] === unitMicros && mark === markMicros)
      return false;
    if (qty !== qtyMicros || mark !== markMicros) {
      this.#takeValue(qty, mark);
      this.value.addMulDivFloor(qtyMicros, markMicros, MICROS_PER_UNIT);
    }
    floats[at + QTY] = qtyMicros;
    floats[at + MAINTENANCE_UNIT] = unitMicros;
    floats[at + MARK] = markMicros;
    return true;
  }

  #takeValue(qty: number, mark: number): void {
    if (qty !== 0 && mark !== 0)
      this.value.add(-new ExactSum().addMulDivFloor(qty, mark, MICROS_PER_UNIT).exact());
  }

  #add(positions: Positions, listener: PlaceListener): void {
    const place = this.#size;
    if (place << ROW_SHIFT === this.#floats.length) this.#grow();
    this.#floats[(place << ROW_SHIFT) + OPENING] = positions.openingAt(place);
    this.#size += 1;
    listener.joined(place);
  }

  #drop(listener: PlaceListener): void {
    const place = this.#size - 1;
    listener.left(place);
    this.#takeValue(this.qtyMicros(place), this.markMicros(place));
    this.#floats.fill(0, place << ROW_SHIFT, this.#size << ROW_SHIFT);
    this.#size -= 1;
  }

  #grow(): void {
    const grown = new Float64Array(this.#floats.length * 2);
    grown.set(this.#floats);
    this.#floats = grown;
  }
}
