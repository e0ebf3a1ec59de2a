/** The series of one underlying and expiry that an account holds, as columns: what defined-risk margin is computed from. */

import type { Right } from '../series.ts';
import type { Micros } from '../units.ts';

/** One series of a group, as the margin of the group is computed from it. */
export interface Leg {
  readonly right: Right;
  readonly strikeMicros: number;
  /** Negative for a short. */
  readonly qtyMicros: number;
  /** The margin of one short contract that no long covers. */
  readonly unitMicros: number;
  /** The mark that counts at maintenance level; 0 at entry level. */
  readonly markMicros: number;
}

const CAPACITY_MIN = 8;

/** Calls, then puts, each ascending by strike. */
export class Legs {
  size = 0;
  /** The number of calls among them. */
  calls = 0;
  strikes = new Float64Array(CAPACITY_MIN);
  qtys = new Float64Array(CAPACITY_MIN);
  units = new Float64Array(CAPACITY_MIN);
  marks = new Float64Array(CAPACITY_MIN);

  static of(legs: readonly Leg[]): Legs {
    const all = new Legs();
    for (const leg of legs) all.insert(leg);
    return all;
  }

  clear(): void {
    this.size = 0;
    this.calls = 0;
  }

  /** Puts a series in its place among the others. */
  insert({ right, strikeMicros, qtyMicros, unitMicros, markMicros }: Leg): void {
    const [first, last] = right === 'C' ? [0, this.calls] : [this.calls, this.size];
    let at = first;
    while (at < last && this.strikes[at]! < strikeMicros) at += 1;
    if (this.size === this.strikes.length) this.#grow();
    if (at < this.size)
      for (const column of [this.strikes, this.qtys, this.units, this.marks])
        column.copyWithin(at + 1, at, this.size);
    this.strikes[at] = strikeMicros;
    this.size += 1;
    if (right === 'C') this.calls += 1;
    this.set(at, qtyMicros, unitMicros, markMicros);
  }

  /** Adds a series that comes after all others. */
  push(right: Right, strikeMicros: number, qtyMicros: number, unitMicros: number, markMicros: number): void {
    if (this.size === this.strikes.length) this.#grow();
    this.strikes[this.size] = strikeMicros;
    this.set(this.size, qtyMicros, unitMicros, markMicros);
    this.size += 1;
    if (right === 'C') this.calls += 1;
  }

  set(at: number, qtyMicros: number, unitMicros: number, markMicros: number): void {
    this.qtys[at] = qtyMicros;
    this.units[at] = unitMicros;
    this.marks[at] = markMicros;
  }

  /** The place of a series, or -1. */
  find(right: Right, strikeMicros: Micros): number {
    const [first, last] = right === 'C' ? [0, this.calls] : [this.calls, this.size];
    for (let at = first; at < last; at++) if (this.strikes[at] === strikeMicros) return at;
    return -1;
  }

  #grow(): void {
    const grown = (column: Float64Array) => {
      const larger = new Float64Array(column.length * 2);
      larger.set(column);
      return larger;
    };
    this.strikes = grown(this.strikes);
    this.qtys = grown(this.qtys);
    this.units = grown(this.units);
    this.marks = grown(this.marks);
  }
}
