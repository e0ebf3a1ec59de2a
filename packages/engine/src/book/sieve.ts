import type { Micros } from '@venue/protocol';
import { type BookSide, BUY, NIL, type OrderHandle } from './handles.ts';
import type { OrderStore } from './order-store.ts';
import type { PriceSide } from './price-side.ts';

/** Which orders count. It must always say the same of the same numbers. */
export interface SieveTest {
  passes(price: Micros, remaining: Micros): boolean;
}

/** How many orders are kept, beside twice as many as anybody has looked at. */
const SPARE = 64;

/**
 * The orders of one side of a book that pass a test, in match priority. They are looked for one by one, as far as somebody
 * has asked, and kept as the book changes: what does not pass is met once, however often the side is read, and a change
 * costs the same however many orders pass.
 *
 * A reader that knows more of an owner's orders than the book does can strike one that passes. It is left out until an
 * order of that owner changes on this side, or until the reader puts it back.
 */
export class Sieve {
  readonly test: SieveTest;
  readonly #orders: OrderStore;
  readonly #priceSide: PriceSide;
  readonly #sign: 1 | -1;
  readonly #found: OrderHandle[] = [];
  /** Prices that rise with priority, in step with `#found`: they fall along it. */
  readonly #keys: number[] = [];
  /** The last order that has been searched; NIL before the first, and once it has left with nobody ahead at its price. */
  #last: OrderHandle = NIL;
  /** The key of the last order; without one, everything at this key or above has been searched. */
  #searchedTo = Number.POSITIVE_INFINITY;
  #met = 0;
  /** The most orders that anybody has looked at. */
  #asked = 0;
  /** By owner; none is empty. */
  readonly #struck = new Map<number, Set<OrderHandle>>();
  #version = 0;
  /** The version of the reader's data by which it struck orders. The reader sets it. */
  struckAt = 0;
  /** The reader's values depend on this many orders from the first on; infinite if it went past the last. The reader sets it. */
  readTo = Number.POSITIVE_INFINITY;

  constructor(test: SieveTest, orders: OrderStore, { side, levels }: { side: BookSide; levels: PriceSide }) {
    this.test = test;
    this.#orders = orders;
    this.#priceSide = levels;
    this.#sign = side === BUY ? 1 : -1;
  }

  /** Orders that have been put to the test, a count of work. */
  get met(): number {
    return this.#met;
  }

  /** How many orders are kept. */
  get size(): number {
    return this.#found.length;
  }

  /** Rises with every change among the first `readTo` orders, so that values derived from them can be cached. */
  get version(): number {
    return this.#version;
  }

  /** The order at an index from 0 on; null past the last. */
  at(index: number): OrderHandle | null {
    this.#asked = Math.max(this.#asked, index + 1);
    while (index >= this.#found.length) if (!this.#searchNext()) return null;
    return this.#found[index]!;
  }

  /** Leaves out an order that has been found here. */
  strike(h: OrderHandle): void {
    const owner = this.#orders.owner(h);
    const struck = this.#struck.get(owner);
    if (struck === undefined) this.#struck.set(owner, new Set([h]));
    else struck.add(h);
    const index = this.#indexOf(h);
    this.#found.splice(index, 1);
    this.#keys.splice(index, 1);
  }

  /** True if an order of an owner has been struck. */
  hasStruck(owner: number): boolean {
    return this.#struck.has(owner);
  }

  /** The owners of struck orders. */
  get struckOwners(): Iterable<number> {
    return this.#struck.keys();
  }

  /** Puts the struck orders of an owner back. */
  putBack(owner: number): void {
    const struck = this.#struck.get(owner);
    if (struck === undefined) return;
    this.#struck.delete(owner);
    // What lies further back than anybody has searched is found when it is.
    for (const h of struck) if (this.#isSearched(h) && this.#passes(h)) this.#insert(h);
  }

  /** Tells that the book keeps another sieve in its place: whatever was derived from this one is out of date. */
  detach(): void {
    this.#version += 1;
  }

  /** Tells of an order that has just come to its place in the queue. */
  joined(h: OrderHandle): void {
    this.#putBackOthersOf(h);
    if (!this.#passes(h)) return;
    if (this.#isSearched(h)) this.#insert(h);
    else if (this.readTo === Number.POSITIVE_INFINITY) this.#version += 1;
  }

  /** Tells of an order that is about to leave. */
  left(h: OrderHandle): void {
    this.#putBackOthersOf(h);
    const index = this.#indexOf(h);
    if (this.#found[index] === h) this.#removeAt(index);
    if (h !== this.#last) return;
    this.#last = this.#orders.ahead(h);
    // Prices are whole numbers: what comes to this one is still to be searched.
    if (this.#last === NIL) this.#searchedTo += 1;
  }

  /** Tells of an order with another quantity. */
  resized(h: OrderHandle): void {
    this.#putBackOthersOf(h);
    if (!this.#isSearched(h)) return;
    const index = this.#indexOf(h);
    const isThere = this.#found[index] === h;
    if (this.#passes(h) === isThere) {
      if (isThere) this.#noteChange(index);
      return;
    }
    if (isThere) this.#removeAt(index);
    else this.#insert(h);
  }

  /** Searches the next order in priority; false if there is none. */
  #searchNext(): boolean {
    const h = this.#next();
    if (h === NIL) return false;
    this.#last = h;
    this.#searchedTo = this.#keyOf(h);
    if (!this.#isStruck(h) && this.#passes(h)) {
      this.#found.push(h);
      this.#keys.push(this.#searchedTo);
    }
    return true;
  }

  /** Before an order changes: forgets that it was struck, and puts the others of its owner back. */
  #putBackOthersOf(h: OrderHandle): void {
    if (this.#struck.size === 0) return;
    const owner = this.#orders.owner(h);
    this.#struck.get(owner)?.delete(h);
    this.putBack(owner);
  }

  #isStruck(h: OrderHandle): boolean {
    return this.#struck.size > 0 && this.#struck.get(this.#orders.owner(h))?.has(h) === true;
  }

  #next(): OrderHandle {
    const behind = this.#last === NIL ? NIL : this.#orders.behind(this.#last);
    if (behind !== NIL) return behind;
    const level = Number.isFinite(this.#searchedTo)
      ? this.#priceSide.worseThan(this.#sign * this.#searchedTo)
      : this.#priceSide.best;
    return level === NIL ? NIL : this.#orders.levels.first(level);
  }

  #passes(h: OrderHandle): boolean {
    this.#met += 1;
    return this.test.passes(this.#orders.price(h), this.#orders.remaining(h));
  }

  #isSearched(h: OrderHandle): boolean {
    const key = this.#keyOf(h);
    if (key !== this.#searchedTo || this.#last === NIL) return key >= this.#searchedTo;
    return this.#orders.arrival(h) <= this.#orders.arrival(this.#last);
  }

  #keyOf(h: OrderHandle): number {
    return this.#sign * this.#orders.price(h);
  }

  #insert(h: OrderHandle): void {
    const index = this.#indexOf(h);
    this.#noteChange(index);
    this.#found.splice(index, 0, h);
    this.#keys.splice(index, 0, this.#keyOf(h));
    if (this.#found.length > 2 * this.#asked + SPARE) this.#forget();
  }

  #noteChange(index: number): void {
    if (index < this.readTo) this.#version += 1;
  }

  #removeAt(index: number): void {
    this.#noteChange(index);
    this.#found.splice(index, 1);
    this.#keys.splice(index, 1);
  }

  /** Forgets what nobody has looked at: it is searched again if somebody does. */
  #forget(): void {
    this.#found.length = this.#asked + 1;
    this.#keys.length = this.#asked + 1;
    this.#last = this.#found[this.#asked]!;
    this.#searchedTo = this.#keys[this.#asked]!;
  }

  /** The index of an order among those that are kept, or that it would have. */
  #indexOf(h: OrderHandle): number {
    const key = this.#keyOf(h);
    const arrival = this.#orders.arrival(h);
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#keys[middle]!;
      const isAhead = other === key ? this.#orders.arrival(this.#found[middle]!) < arrival : other > key;
      if (isAhead) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
