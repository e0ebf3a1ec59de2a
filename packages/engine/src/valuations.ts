/** What the risk of a position is made of, by series: its mark, and the margin of a short at both levels. */

import type { Micros } from '@venue/protocol';
import { ENTRY, MAINTENANCE, unitAtMicros } from './margin.ts';
import { positionMarkMicros } from './marks.ts';
import type { Sid, State } from './state.ts';

const CAPACITY_MIN = 64;
const FLOATS_SHIFT = 2;
const MARK = 0;
const ENTRY_UNIT = 1;
const MAINTENANCE_UNIT = 2;
/** Version of the top of the book that the others were computed at; NaN while they are not. */
const VERSION = 3;

/**
 * Kept until the top of the book, the spot or the status of the series changes: of the first the book tells, for the others
 * there is `forget`. An order asks for all series that its account holds, so they lie in one array.
 */
export class Valuations {
  #floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT).fill(Number.NaN);

  /** To be called before the three that follow are asked for. */
  refresh(state: State, sid: Sid): void {
    const at = sid << FLOATS_SHIFT;
    if (at >= this.#floats.length) this.#grow(sid);
    const version = state.orders.levels.topVersion(sid);
    if (this.#floats[at + VERSION] === version) return;
    const series = state.series[sid]!;
    const mark = positionMarkMicros(series);
    const floats = this.#floats;
    floats[at + MARK] = mark;
    floats[at + ENTRY_UNIT] = unitAtMicros(state, series, mark, ENTRY);
    floats[at + MAINTENANCE_UNIT] = unitAtMicros(state, series, mark, MAINTENANCE);
    floats[at + VERSION] = version;
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
