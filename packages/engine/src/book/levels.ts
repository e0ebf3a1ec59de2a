/** Price levels: one record for each price with resting orders, per book and side. */

import type { Micros } from '@venue/protocol';
import { type BookSide, type LevelHandle, NIL, type OrderHandle, type RunHandle } from './handles.ts';

const CAPACITY_MIN = 256;
const BOOKS_MIN = 64;

/** A record is 64 bytes, seen through two views: three doubles, then integers from the 32nd byte on. */
const FLOATS_SHIFT = 3;
const PRICE = 0;
const QUANTITY_HIGH = 1;
const QUANTITY_LOW = 2;

const INTS_SHIFT = 4;
const FIRST = 8;
const LAST = 9;
const BOOK = 10;
const SIDE = 11;
const RUN = 12;

/** Quantities are summed in two halves of 26 bits: a double can add 2^26 of either without rounding. */
const HALF = 2 ** 26;

/** The upper half of a quantity, for sums that may pass 2^53. */
function highHalf(quantity: number): number {
  return Math.floor(quantity / HALF);
}

/**
 * The levels of all books of one engine. A handle is an index, valid from `open` to `close`; closed records are reused,
 * last closed first.
 *
 * A level's quantity is exact while it is a safe integer and correctly rounded beyond: a thousand large orders at a
 * tiny price cost little, and their sum must not leave an error behind when they leave (NUM-1).
 */
export class Levels {
  #floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT);
  #ints = new Int32Array(this.#floats.buffer);
  #used = 0;
  #free: LevelHandle = NIL;
  /** Best price of each side of each book, or 0, so that a reader needs neither book side nor level. */
  #tops = new Float64Array(BOOKS_MIN * 2);

  /** Allocated bytes, in use or not. */
  get bytes(): number {
    return this.#floats.byteLength + this.#tops.byteLength;
  }

  price(level: LevelHandle): Micros {
    return this.#floats[(level << FLOATS_SHIFT) + PRICE] as Micros;
  }

  /** Total resting quantity: the number nearest to the sum. */
  quantity(level: LevelHandle): Micros {
    const at = level << FLOATS_SHIFT;
    return (this.#floats[at + QUANTITY_HIGH]! * HALF + this.#floats[at + QUANTITY_LOW]!) as Micros;
  }

  /** The order that has waited longest, or NIL. */
  first(level: LevelHandle): OrderHandle {
    return this.#ints[(level << INTS_SHIFT) + FIRST] as OrderHandle;
  }

  last(level: LevelHandle): OrderHandle {
    return this.#ints[(level << INTS_SHIFT) + LAST] as OrderHandle;
  }

  /** The number of the book. */
  book(level: LevelHandle): number {
    return this.#ints[(level << INTS_SHIFT) + BOOK]!;
  }

  side(level: LevelHandle): BookSide {
    return this.#ints[(level << INTS_SHIFT) + SIDE] as BookSide;
  }

  /** The run that contains the level. */
  run(level: LevelHandle): RunHandle {
    return this.#ints[(level << INTS_SHIFT) + RUN] as RunHandle;
  }

  setRun(level: LevelHandle, run: RunHandle): void {
    this.#ints[(level << INTS_SHIFT) + RUN] = run;
  }

  /** The level must already fit there in its side of the book. */
  setPrice(level: LevelHandle, price: number): void {
    this.#floats[(level << FLOATS_SHIFT) + PRICE] = price;
  }

  setFirst(level: LevelHandle, order: OrderHandle): void {
    this.#ints[(level << INTS_SHIFT) + FIRST] = order;
  }

  setLast(level: LevelHandle, order: OrderHandle): void {
    this.#ints[(level << INTS_SHIFT) + LAST] = order;
  }

  /** The best price on a side of a book, or 0. */
  top(book: number, side: BookSide): Micros {
    return (this.#tops[book * 2 + side] ?? 0) as Micros;
  }

  setTop(book: number, side: BookSide, price: number): void {
    if (book * 2 >= this.#tops.length) {
      const grown = new Float64Array(Math.max(book + 1, this.#tops.length) * 2);
      grown.set(this.#tops);
      this.#tops = grown;
    }
    this.#tops[book * 2 + side] = price;
  }

  /** Changes one order's share of the level; 0 means absent. */
  adjust(level: LevelHandle, from: number, to: number): void {
    const floats = this.#floats;
    const at = level << FLOATS_SHIFT;
    const high = highHalf(to) - highHalf(from);
    floats[at + QUANTITY_HIGH]! += high;
    floats[at + QUANTITY_LOW]! += to - from - high * HALF;
  }

  /** A new level without orders. */
  open(book: number, side: BookSide, price: number): LevelHandle {
    const level = this.#allocate();
    const floats = this.#floats;
    const ints = this.#ints;
    const at = level << FLOATS_SHIFT;
    floats[at + PRICE] = price;
    floats[at + QUANTITY_HIGH] = 0;
    floats[at + QUANTITY_LOW] = 0;
    const intsAt = level << INTS_SHIFT;
    ints[intsAt + FIRST] = NIL;
    ints[intsAt + LAST] = NIL;
    ints[intsAt + BOOK] = book;
    ints[intsAt + SIDE] = side;
    return level;
  }

  /** Frees the record of an empty level. */
  close(level: LevelHandle): void {
    this.#ints[(level << INTS_SHIFT) + FIRST] = this.#free;
    this.#free = level;
  }

  #allocate(): LevelHandle {
    const level = this.#free;
    if (level !== NIL) {
      this.#free = this.#ints[(level << INTS_SHIFT) + FIRST] as LevelHandle;
      return level;
    }
    if (this.#used << FLOATS_SHIFT === this.#floats.length) this.#grow();
    return this.#used++ as LevelHandle;
  }

  #grow(): void {
    const grown = new Float64Array(this.#floats.length * 2);
    grown.set(this.#floats);
    this.#floats = grown;
    this.#ints = new Int32Array(grown.buffer);
  }
}
