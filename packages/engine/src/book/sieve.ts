import type { Micros } from '@venue/protocol';
import { type BookSide, BUY, type LevelHandle, NIL, type OrderHandle } from './handles.ts';
import type { OrderStore } from './order-store.ts';
import type { PriceSide } from './price-side.ts';

/** Which orders count. It must always say the same of the same numbers. */
export interface SieveTest {
  passes(price: Micros, remaining: Micros): boolean;
}

/**
 * The orders of one side of a book that pass a test, in match priority. They are looked for level by level, as far as
 * somebody has asked, and kept as the book changes: what does not pass is met once, however often the side is read.
 */
export class Sieve {
  readonly test: SieveTest;
  readonly #orders: OrderStore;
  readonly #priceSide: PriceSide;
  readonly #sign: 1 | -1;
  readonly #found: OrderHandle[] = [];
  /** Prices that rise with priority, in step with `#found`: they fall along it. */
  readonly #keys: number[] = [];
  /** The worst price whose level has been searched; null before the first. */
  #searchedTo: Micros | null = null;
  #met = 0;

  constructor(test: SieveTest, orders: OrderStore, { side, levels }: { side: BookSide; levels: PriceSide }) {
    this.test = test;
    this.#orders = orders;
    this.#priceSide = levels;
    this.#sign = side === BUY ? 1 : -1;
  }

  /** How many orders have been put to the test. */
  get met(): number {
    return this.#met;
  }

  /** The order at an index from 0 on; null past the last. */
  at(index: number): OrderHandle | null {
    while (index >= this.#found.length) if (!this.#searchNext()) return null;
    return this.#found[index]!;
  }

  /** Tells of an order that has just been put behind all others at its price. */
  joined(h: OrderHandle): void {
    if (this.#isWanted(h)) this.#insert(this.#behind(this.#keyOf(h)), h);
  }

  /** Tells of an order that is about to leave. Returns its index, -1 if it was not among them. */
  left(h: OrderHandle): number {
    const index = this.#indexOf(h);
    if (index >= 0) this.#removeAt(index);
    return index;
  }

  /** Tells of an order that is back where it was before it left, with nothing else changed since: its index then. */
  returned(h: OrderHandle, index: number): void {
    if (index >= 0) this.#insert(index, h);
    else if (this.#isWanted(h)) this.#insertInQueue(h);
  }

  /** Tells of an order with another quantity. */
  resized(h: OrderHandle): void {
    const index = this.#indexOf(h);
    const isWanted = this.#isWanted(h);
    if (index >= 0 && !isWanted) this.#removeAt(index);
    if (index < 0 && isWanted) this.#insertInQueue(h);
  }

  /** Searches the best level that has not been; false if there is none. */
  #searchNext(): boolean {
    const { levels } = this.#orders;
    const level: LevelHandle =
      this.#searchedTo === null ? this.#priceSide.best : this.#priceSide.worseThan(this.#searchedTo);
    if (level === NIL) return false;
    this.#searchedTo = levels.price(level);
    for (let h = levels.first(level); h !== NIL; h = this.#orders.behind(h))
      if (this.#isWanted(h)) this.#insert(this.#found.length, h);
    return true;
  }

  #isWanted(h: OrderHandle): boolean {
    const searchedTo = this.#searchedTo;
    if (searchedTo === null || this.#keyOf(h) < this.#sign * searchedTo) return false;
    this.#met += 1;
    return this.test.passes(this.#orders.price(h), this.#orders.remaining(h));
  }

  #keyOf(h: OrderHandle): number {
    return this.#sign * this.#orders.price(h);
  }

  #indexOf(h: OrderHandle): number {
    const key = this.#keyOf(h);
    for (let i = this.#before(key); this.#keys[i] === key; i++) if (this.#found[i] === h) return i;
    return -1;
  }

  /** Behind the nearest order ahead at its price that is among them. */
  #insertInQueue(h: OrderHandle): void {
    let index = -1;
    for (let ahead = this.#orders.ahead(h); ahead !== NIL && index < 0; ahead = this.#orders.ahead(ahead))
      index = this.#indexOf(ahead);
    this.#insert(index < 0 ? this.#before(this.#keyOf(h)) : index + 1, h);
  }

  #insert(index: number, h: OrderHandle): void {
    this.#found.splice(index, 0, h);
    this.#keys.splice(index, 0, this.#keyOf(h));
  }

  #removeAt(index: number): void {
    this.#found.splice(index, 1);
    this.#keys.splice(index, 1);
  }

  /** The index of the first that is not better than a key. */
  #before(key: number): number {
    return this.#firstWhere((other) => other <= key);
  }

  /** The index of the first that is worse than a key. */
  #behind(key: number): number {
    return this.#firstWhere((other) => other < key);
  }

  #firstWhere(holds: (key: number) => boolean): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.#keys[middle]!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
