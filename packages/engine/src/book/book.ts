import type { Micros } from '@venue/protocol';
import { type BookSide, BUY, type LevelHandle, NIL, type OrderHandle, SELL } from './handles.ts';
import type { Levels } from './levels.ts';
import { OrderStore, OWNERS_MAX, type RestingOrder } from './order-store.ts';
import { PriceSide } from './price-side.ts';
import { Sieve, type SieveTest } from './sieve.ts';

export {
  type BookSide,
  BUY,
  type OrderHandle,
  OrderStore,
  type RestingOrder,
  SELL,
  type Sieve,
  type SieveTest,
};

/** An order outside its queue, with the place it had. */
export interface Lifted {
  readonly h: OrderHandle;
  readonly side: BookSide;
  readonly price: Micros;
  /** The order ahead of it at its level, or NIL. */
  readonly ahead: OrderHandle;
}

/** The total quantity at one price. */
export interface BookLevel {
  readonly price: Micros;
  readonly quantity: Micros;
}

/**
 * The order book of one series: price-time priority, no accounts, no clock, and no allocation per message.
 *
 * It stores resting orders but does not match. The caller walks from `best`, calls `reduce` for each fill, then `place`
 * for the rest. Prices and quantities are positive safe integers in micros. A call that would break the book (an id
 * placed twice, a price that crosses, a fill of more than remains, a handle from another book) is a defect of the
 * caller and throws before anything changes.
 *
 * @example
 * const book = new Book(new OrderStore(), 1);
 * const h = book.place({ id: 7, owner: 3, side: SELL, price: 3_400_000, quantity: 2_000_000, remaining: 2_000_000,
 * placedAt: 0 });
 * book.reduce(h, 500_000);
 * book.levels(SELL, 12); // [{ price: 3400000, quantity: 1500000 }]
 */
export class Book {
  readonly number: number;
  readonly #orders: OrderStore;
  readonly #levels: Levels;
  readonly #bids: PriceSide;
  readonly #asks: PriceSide;
  #version = 0;
  readonly #sieves: [Sieve | null, Sieve | null] = [null, null];

  /** An empty book. Books with different numbers share one store of orders. */
  constructor(store: OrderStore, number: number) {
    this.number = number;
    this.#orders = store;
    this.#levels = store.levels;
    this.#bids = new PriceSide({ levels: store.levels, runs: store.runs, book: number, side: BUY });
    this.#asks = new PriceSide({ levels: store.levels, runs: store.runs, book: number, side: SELL });
  }

  /** The store of its orders, shared with other books. */
  get orders(): OrderStore {
    return this.#orders;
  }

  /** Rises by one with each change, so that values derived from the book can be cached. */
  get version(): number {
    return this.#version;
  }

  /** The order a taker meets first on this side. */
  best(side: BookSide): OrderHandle | null {
    const level = this.#sideOf(side).best;
    return level === NIL ? null : this.#levels.first(level);
  }

  bestPrice(side: BookSide): Micros | null {
    const price = this.top(side);
    return price === 0 ? null : price;
  }

  /** The best price, or 0 if there is none: always a plain number, which is cheaper for frequent callers. */
  top(side: BookSide): Micros {
    return this.#levels.top(this.number, side);
  }

  /**
   * The next order in match priority on the same side. When removing orders during a walk, call this before the
   * removal.
   */
  next(h: OrderHandle): OrderHandle | null {
    const level = this.#levelOf(h);
    const behind = this.#orders.behind(h);
    if (behind !== NIL) return behind;
    const worse = this.#sideOf(this.#levels.side(level)).worse(level);
    return worse === NIL ? null : this.#levels.first(worse);
  }

  /** True if an order at that price would trade with the other side. */
  crosses(side: BookSide, price: number): boolean {
    const best = this.top(side === BUY ? SELL : BUY);
    if (best === 0) return false;
    return side === BUY ? price >= best : price <= best;
  }

  /** Rests an order behind all others at its price and returns its handle. */
  place(order: RestingOrder): OrderHandle {
    this.#assertPlaceable(order);
    const level = this.#sideOf(order.side).obtain(order.price);
    const h = this.#orders.add(order, level);
    this.#sieves[order.side]?.joined(h);
    this.#noteChange();
    return h;
  }

  /** Fills part of an order, which keeps its place; a completely filled order leaves immediately (ORD-6). */
  reduce(h: OrderHandle, quantity: number): void {
    const left = this.#orders.remaining(h) - quantity;
    if (!(Number.isSafeInteger(quantity) && quantity > 0 && left >= 0)) {
      throw new Error(`order ${this.#orders.id(h)} cannot be filled by ${quantity}`);
    }
    if (left === 0) {
      this.remove(h);
      return;
    }
    const level = this.#levelOf(h);
    this.#orders.setRemaining(h, left);
    this.#sieves[this.#levels.side(level)]?.resized(h);
    this.#noteChange();
  }

  /** Undoes a `reduce` that left some of the order; nothing may have happened to it since. */
  restore(h: OrderHandle, quantity: number): void {
    const remaining = this.#orders.remaining(h) + quantity;
    if (!(Number.isSafeInteger(quantity) && quantity > 0 && remaining <= this.#orders.quantity(h)))
      throw new Error(`order ${this.#orders.id(h)} cannot have ${quantity} back`);
    const level = this.#levelOf(h);
    this.#orders.setRemaining(h, remaining);
    this.#sieves[this.#levels.side(level)]?.resized(h);
    this.#noteChange();
  }

  /** Removes an order from the book and the store. Its handle is invalid afterwards. */
  remove(h: OrderHandle): void {
    const level = this.#levelOf(h);
    this.#sieves[this.#levels.side(level)]?.left(h);
    this.#orders.delete(h);
    if (this.#levels.first(level) === NIL) this.#sideOf(this.#levels.side(level)).close(level);
    this.#noteChange();
  }

  /**
   * Removes an order and rests another of the same owner on the same side: like `remove` and `place`, but usually
   * cheaper. The record is always reused; an order alone at its price that moves no further than its neighbours also
   * keeps its level. Quotes move this way. Returns the handle of the new order.
   */
  replace(h: OrderHandle, order: RestingOrder): OrderHandle {
    const level = this.#levelOf(h);
    const side = this.#levels.side(level);
    if (side !== order.side || this.#orders.owner(h) !== order.owner)
      throw new Error(`order ${order.id} cannot take the place of another owner's or side's`);
    this.#assertPlaceable(order);
    const sieve = this.#sieves[side];
    sieve?.left(h);
    const placed = this.#putInPlace(h, level, order);
    sieve?.joined(placed);
    this.#noteChange();
    return placed;
  }

  /**
   * Lowers the total and the open quantity of an order, which keeps its place. Both stay positive, and what is filled
   * stays the same.
   */
  shrink(h: OrderHandle, { quantity, remaining }: Pick<RestingOrder, 'quantity' | 'remaining'>): void {
    const filled = this.#orders.quantity(h) - this.#orders.remaining(h);
    if (!(remaining > 0 && remaining <= this.#orders.remaining(h) && quantity - remaining === filled))
      throw new Error(`order ${this.#orders.id(h)} cannot shrink to ${remaining} of ${quantity}`);
    const level = this.#levelOf(h);
    this.#orders.setRemaining(h, remaining);
    this.#orders.setQuantity(h, quantity);
    this.#sieves[this.#levels.side(level)]?.resized(h);
    this.#noteChange();
  }

  /**
   * Takes an order out of its queue and keeps its record, until `putBack`, `requeue` or `drop`. The book is then as if
   * the order had left.
   */
  lift(h: OrderHandle): Lifted {
    const level = this.#levelOf(h);
    const side = this.#levels.side(level);
    const lifted = { h, side, price: this.#levels.price(level), ahead: this.#orders.ahead(h) };
    this.#sieves[side]?.left(h);
    this.#orders.leaveQueue(h);
    if (this.#levels.first(level) === NIL) this.#sideOf(lifted.side).close(level);
    this.#noteChange();
    return lifted;
  }

  /** Puts a lifted order back to its old place; nothing may have changed in the book since. */
  putBack({ h, side, price, ahead }: Lifted): void {
    this.#orders.joinQueueBehind(h, this.#sideOf(side).obtain(price), ahead);
    this.#sieves[side]?.joined(h);
    this.#noteChange();
  }

  /** Rests a lifted order behind all others at a price. It keeps its id, its owner and its place among the owner's orders. */
  requeue(lifted: Lifted, order: Pick<RestingOrder, 'price' | 'quantity' | 'remaining'>): void {
    const { h, side } = lifted;
    const { price, quantity, remaining } = order;
    if (!(price > 0 && remaining > 0 && remaining <= quantity) || this.crosses(side, price))
      throw new Error(`order ${this.#orders.id(h)} cannot rest at ${price}`);
    this.#orders.setLiftedQuantities(h, quantity, remaining);
    const level = this.#sideOf(side).obtain(price);
    this.#orders.arrive(h);
    this.#orders.joinQueueBehind(h, level, this.#levels.last(level));
    this.#sieves[side]?.joined(h);
    this.#noteChange();
  }

  /** Removes the record of a lifted order. */
  drop({ h }: Lifted): void {
    this.#orders.deleteLifted(h);
    this.#noteChange();
  }

  /** The orders of a side that pass a test. The book keeps one such test a side: ask with the same one. */
  sieve(side: BookSide, test: SieveTest): Sieve {
    const known = this.#sieves[side];
    if (known?.test === test) return known;
    known?.detach();
    const sieve = new Sieve(test, this.#orders, { side, levels: this.#sideOf(side) });
    this.#sieves[side] = sieve;
    return sieve;
  }

  /** The first `depth` levels of a side, best first, with their total resting quantities. */
  levels(side: BookSide, depth: number): BookLevel[] {
    const priceSide = this.#sideOf(side);
    const found: BookLevel[] = [];
    for (let level = priceSide.best; level !== NIL && found.length < depth; level = priceSide.worse(level)) {
      found.push({ price: this.#levels.price(level), quantity: this.#levels.quantity(level) });
    }
    return found;
  }

  /** In the old order's record, and in its level if that may move; returns the handle. */
  #putInPlace(h: OrderHandle, level: LevelHandle, order: RestingOrder): OrderHandle {
    const priceSide = this.#sideOf(order.side);
    if (this.#orders.isAlone(h) && priceSide.move(level, order.price)) {
      this.#orders.renew(h, order);
      return h;
    }
    this.#orders.delete(h);
    if (this.#levels.first(level) === NIL) priceSide.close(level);
    return this.#orders.add(order, priceSide.obtain(order.price));
  }

  #noteChange(): void {
    this.#version += 1;
    this.#orders.changes.note(this.number);
  }

  #sideOf(side: BookSide): PriceSide {
    return side === BUY ? this.#bids : this.#asks;
  }

  /** The level of an order; throws if it is not resting in this book. */
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
      owner < OWNERS_MAX &&
      owner >= -OWNERS_MAX &&
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
