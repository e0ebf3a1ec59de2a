import type { Micros } from '@venue/protocol';
import { type BookSide, BUY, type LevelHandle, NIL, type OrderHandle, SELL } from './handles.ts';
import { Ladder } from './ladder.ts';
import type { Levels } from './levels.ts';
import { OrderStore, OWNERS_MAX, type RestingOrder } from './order-store.ts';

export { type BookSide, BUY, type OrderHandle, OrderStore, type RestingOrder, SELL };

/** What one price level offers in sum. */
export interface BookLevel {
  readonly price: Micros;
  readonly quantity: Micros;
}

/**
 * The order book of one series: price-time priority, no accounts, no clock, and no allocation by a message.
 *
 * It holds what rests; it does not match. Who matches walks from `best` and calls `reduce` for each fill, then
 * `place` for what is left. Prices and quantities are positive safe integers, micros of theirs.
 * A call that would break the book (an id placed twice, a price that crosses, a fill of more than remains, a
 * handle that is not of this book) throws before anything changes: it is a defect of the caller.
 *
 * @example
 * const book = new Book(new OrderStore(), 1);
 * const h = book.place({ id: 7, owner: 3, side: SELL, price: 3_400_000, quantity: 2_000_000, remaining: 2_000_000, placedAt: 0 });
 * book.reduce(h, 500_000);
 * book.levels(SELL, 12); // [{ price: 3400000, quantity: 1500000 }]
 */
export class Book {
  readonly number: number;
  readonly #orders: OrderStore;
  readonly #levels: Levels;
  readonly #bids: Ladder;
  readonly #asks: Ladder;
  #version = 0;

  /** A book without orders that keeps its orders in a store shared with other books of other numbers. */
  constructor(store: OrderStore, number: number) {
    this.number = number;
    this.#orders = store;
    this.#levels = store.levels;
    this.#bids = new Ladder({ levels: store.levels, runs: store.runs, book: number, side: BUY });
    this.#asks = new Ladder({ levels: store.levels, runs: store.runs, book: number, side: SELL });
  }

  /** Rises by one with each change, so that what was derived from the book can be kept until then. */
  get version(): number {
    return this.#version;
  }

  /** The order a taker meets first on this side. */
  best(side: BookSide): OrderHandle | null {
    const level = this.#ladder(side).best;
    return level === NIL ? null : this.#levels.first(level);
  }

  bestPrice(side: BookSide): Micros | null {
    const level = this.#ladder(side).best;
    return level === NIL ? null : this.#levels.price(level);
  }

  /** The order that follows in match priority on the same side. A walk that removes orders must ask for it first. */
  next(h: OrderHandle): OrderHandle | null {
    const level = this.#levelOf(h);
    const behind = this.#orders.behind(h);
    if (behind !== NIL) return behind;
    const worse = this.#ladder(this.#levels.side(level)).worse(level);
    return worse === NIL ? null : this.#levels.first(worse);
  }

  /** Whether an order at that price would trade with the other side. */
  crosses(side: BookSide, price: number): boolean {
    const best = this.#ladder(side === BUY ? SELL : BUY).best;
    if (best === NIL) return false;
    return side === BUY ? price >= this.#levels.price(best) : price <= this.#levels.price(best);
  }

  /** Rests an order behind all others of its price and returns its handle. */
  place(order: RestingOrder): OrderHandle {
    this.#assertPlaceable(order);
    const level = this.#ladder(order.side).obtain(order.price);
    const h = this.#orders.add(order, level);
    this.#version += 1;
    return h;
  }

  /** Takes a fill off an order, which keeps its place; an order filled to the end leaves at once (ORD-6). */
  reduce(h: OrderHandle, quantity: number): void {
    const left = this.#orders.remaining(h) - quantity;
    if (!(Number.isSafeInteger(quantity) && quantity > 0 && left >= 0)) {
      throw new Error(`order ${this.#orders.id(h)} cannot be filled by ${quantity}`);
    }
    if (left === 0) {
      this.remove(h);
      return;
    }
    this.#levelOf(h);
    this.#orders.setRemaining(h, left);
    this.#version += 1;
  }

  /** Takes an order out of the book and out of the store. Its handle is void from here on. */
  remove(h: OrderHandle): void {
    const level = this.#levelOf(h);
    this.#orders.delete(h);
    if (this.#levels.first(level) === NIL) this.#ladder(this.#levels.side(level)).close(level);
    this.#version += 1;
  }

  /**
   * Takes an order out and rests another of the same owner on the same side: what `remove` and `place` do, and mostly
   * for less. An order that is alone at its price, and moves no further than to the next, takes its level with it, and
   * its record it always keeps: that is how quotes move. Returns the handle of the new order.
   */
  replace(h: OrderHandle, order: RestingOrder): OrderHandle {
    const level = this.#levelOf(h);
    const side = this.#levels.side(level);
    if (side !== order.side || this.#orders.owner(h) !== order.owner)
      throw new Error(`order ${order.id} cannot take the place of another owner's or side's`);
    this.#assertPlaceable(order);
    const ladder = this.#ladder(side);
    this.#version += 1;
    if (this.#orders.isAlone(h) && ladder.move(level, order.price)) {
      this.#orders.renew(h, order);
      return h;
    }
    this.#orders.delete(h);
    if (this.#levels.first(level) === NIL) ladder.close(level);
    return this.#orders.add(order, ladder.obtain(order.price));
  }

  /** The first `depth` levels of a side, best first, each with its whole resting quantity. */
  levels(side: BookSide, depth: number): BookLevel[] {
    const ladder = this.#ladder(side);
    const found: BookLevel[] = [];
    for (let level = ladder.best; level !== NIL && found.length < depth; level = ladder.worse(level)) {
      found.push({ price: this.#levels.price(level), quantity: this.#levels.quantity(level) });
    }
    return found;
  }

  #ladder(side: BookSide): Ladder {
    return side === BUY ? this.#bids : this.#asks;
  }

  /** The level of an order that must be resting in this book. */
  #levelOf(h: OrderHandle): LevelHandle {
    const level = this.#orders.level(h);
    if (level === NIL || this.#levels.book(level) !== this.number) {
      throw new Error(`handle ${h} is not of an order resting in book ${this.number}`);
    }
    return level;
  }

  #assertPlaceable(order: RestingOrder): void {
    const { id, owner, side, price, quantity, remaining } = order;
    const sound =
      Number.isSafeInteger(id) &&
      id > 0 &&
      Number.isSafeInteger(owner) &&
      owner >= 0 &&
      owner < OWNERS_MAX &&
      Number.isSafeInteger(price) &&
      price > 0 &&
      Number.isSafeInteger(quantity) &&
      Number.isSafeInteger(remaining) &&
      remaining > 0 &&
      remaining <= quantity;
    if (!sound) throw new Error(`not an order that can rest: ${JSON.stringify(order)}`);
    if (this.#orders.find(id) !== null) throw new Error(`order ${id} rests already`);
    if (this.crosses(side, price)) throw new Error(`order ${id} would cross book ${this.number} at ${price}`);
  }
}
