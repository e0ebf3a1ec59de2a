import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { orderOf, ownersWalk, walk } from '../../test/orders.ts';
import { Book, type BookSide, BUY, type OrderHandle, OrderStore, type RestingOrder, SELL } from './book.ts';

const OWNERS = 4;

/** A naive store of orders: one list in order of placement. */
class NaiveStore {
  orders: (RestingOrder & { book: number; h: OrderHandle })[] = [];

  side(book: number, side: BookSide) {
    const sign = side === BUY ? -1 : 1;
    return this.orders
      .filter((o) => o.book === book && o.side === side)
      .sort((a, b) => sign * (a.price - b.price));
  }

  levels(book: number, side: BookSide) {
    const groups = Map.groupBy(this.side(book, side), (o) => o.price);
    return [...groups].map(([price, orders]) => ({
      price,
      quantity: orders.reduce((sum, o) => sum + o.remaining, 0),
    }));
  }
}

type Op = readonly [kind: number, book: number, side: number, price: number, quantity: number, pick: number];

class Pair {
  readonly store = new OrderStore();
  readonly books = [new Book(this.store, 0), new Book(this.store, 1)];
  readonly naive = new NaiveStore();
  #id = 0;

  apply([kind, number, side, price, quantity, pick]: Op): void {
    const target = this.naive.orders[pick % Math.max(1, this.naive.orders.length)];
    if (kind < 5 || target === undefined) this.#place(number, side as BookSide, price, quantity);
    else if (kind > 9) this.#replace(target, price, quantity);
    else if (kind < 7 && quantity < target.remaining) {
      this.books[target.book]!.reduce(target.h, quantity);
      this.naive.orders = this.naive.orders.map((o) =>
        o === target ? { ...o, remaining: o.remaining - quantity } : o,
      );
    } else {
      if (kind === 7) this.books[target.book]!.reduce(target.h, target.remaining);
      else this.books[target.book]!.remove(target.h);
      this.naive.orders = this.naive.orders.filter((o) => o !== target);
      assert.equal(this.store.find(target.id), null);
    }
  }

  #crosses(number: number, side: BookSide, price: number): boolean {
    const best = this.naive.side(number, side === BUY ? SELL : BUY)[0]?.price;
    return best !== undefined && (side === BUY ? price >= best : price <= best);
  }

  #replace(target: NaiveStore['orders'][number], price: number, quantity: number): void {
    const { book: number, side, owner } = target;
    if (this.#crosses(number, side, price)) return;
    const order = orderOf(++this.#id, { owner, side, price, quantity, remaining: quantity });
    const h = this.books[number]!.replace(target.h, order);
    this.naive.orders = [...this.naive.orders.filter((o) => o !== target), { ...order, book: number, h }];
    assert.equal(this.store.find(target.id), null);
  }

  #place(number: number, side: BookSide, price: number, quantity: number): void {
    if (this.#crosses(number, side, price)) return;
    const order = orderOf(++this.#id, {
      owner: this.#id % OWNERS,
      side,
      price,
      quantity: quantity + 1,
      remaining: quantity,
    });
    const h = this.books[number]!.place(order);
    this.naive.orders.push({ ...order, book: number, h });
  }

  check(): void {
    const { store, naive } = this;
    assert.equal(store.count, naive.orders.length);
    for (const { h, ...order } of naive.orders) {
      assert.equal(store.find(order.id), h);
      const { id, owner, book, side, price, quantity, remaining, placedAt } = order;
      assert.deepEqual(
        [
          store.id(h),
          store.owner(h),
          store.book(h),
          store.side(h),
          store.price(h),
          store.quantity(h),
          store.remaining(h),
          store.placedAt(h),
        ],
        [id, owner, book, side, price, quantity, remaining, placedAt],
      );
    }
    for (let owner = 0; owner < OWNERS; owner++) {
      const expected = naive.orders.filter((o) => o.owner === owner).map((o) => o.h);
      assert.deepEqual(ownersWalk(store, owner), expected);
      assert.equal(store.countOf(owner), expected.length);
    }
    for (const book of this.books) for (const side of [BUY, SELL] as const) this.#checkSide(book, side);
  }

  #checkSide(book: Book, side: BookSide): void {
    const expected = this.naive.side(book.number, side);
    const levels = this.naive.levels(book.number, side);
    assert.equal(book.best(side), expected[0]?.h ?? null);
    assert.equal(book.bestPrice(side), expected[0]?.price ?? null);
    assert.deepEqual(
      walk(book, side),
      expected.map((o) => o.h),
    );
    assert.deepEqual(book.levels(side, Number.POSITIVE_INFINITY), levels);
    assert.deepEqual(book.levels(side, 3), levels.slice(0, 3));
  }
}

const opOf = (priceMax: number) =>
  fc.tuple(
    fc.nat(11),
    fc.nat(1),
    fc.nat(1),
    fc.integer({ min: 1, max: priceMax }),
    fc.integer({ min: 1, max: 9 }),
    fc.nat(9_999),
  );

describe('the book equals a naive one after every message', () => {
  test('few prices, long queues', () => {
    fc.assert(
      fc.property(fc.array(opOf(6), { maxLength: 120, size: 'max' }), (ops) => {
        const pair = new Pair();
        for (const op of ops) {
          pair.apply(op);
          pair.check();
        }
      }),
      { seed: 20_260, numRuns: 60 },
    );
  });

  test('many prices, so that runs fill, split and empty', () => {
    const pair = new Pair();
    const ops = fc.sample(opOf(2_000), { seed: 7, numRuns: 6_000 });
    // Bids below 1,000 and offers above it never cross, so both sides grow deep.
    ops.forEach(([kind, , side, price, quantity, pick], i) => {
      const growing = i < 1_500 || (i > 3_000 && i < 4_000);
      const isMoving = i % 3 === 0 && i < 4_500;
      pair.apply([
        isMoving ? 10 : growing ? 0 : 9,
        0,
        side,
        side === BUY ? (price % 1_000) + 1 : 1_001 + (price % 1_000),
        quantity,
        pick + kind,
      ]);
      if (i % 25 === 0) pair.check();
    });
    pair.check();
    assert.equal(pair.store.count, 0);
  });
});
