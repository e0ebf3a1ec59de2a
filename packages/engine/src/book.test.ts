import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Book, type BookSide, BUY, NIL, OrderStore, type RestingOrder, SELL } from './book.ts';

const OWNERS = 4;

function orderOf(id: number, fields: Partial<RestingOrder>): RestingOrder {
  const quantity = fields.quantity ?? 10;
  return {
    id,
    owner: 0,
    side: BUY,
    price: 100,
    quantity,
    remaining: quantity,
    placedAt: 1_000 + id,
    ...fields,
  };
}

function walk(book: Book, side: BookSide): number[] {
  const handles: number[] = [];
  for (let h = book.best(side); h !== NIL; h = book.next(h)) handles.push(h);
  return handles;
}

function ownersWalk(store: OrderStore, owner: number): number[] {
  const handles: number[] = [];
  for (let h = store.firstOf(owner); h !== NIL; h = store.nextOf(h)) handles.push(h);
  return handles;
}

const idsOf = (store: OrderStore, handles: number[]) => handles.map((h) => store.id(h));

describe('a book', () => {
  test('an empty book has no best order, no best price and no levels', () => {
    const book = new Book(new OrderStore(), 1);
    assert.equal(book.best(BUY), NIL);
    assert.equal(book.bestPrice(SELL), Number.NaN);
    assert.deepEqual(book.levels(BUY, 12), []);
    assert.equal(book.sideQuantity(SELL), 0);
    assert.equal(book.version, 0);
  });

  test('ten thousand empty books take nothing from the store', () => {
    const store = new OrderStore();
    const before = store.bytes;
    const books = Array.from({ length: 10_000 }, (_, number) => new Book(store, number));
    assert.equal(books.length, 10_000);
    assert.equal(store.bytes, before);
  });

  test('ORD-6 better prices come first, and at one price the order that has waited longest', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    [101, 103, 101, 102].forEach((price, i) => {
      book.place(orderOf(i + 1, { side: SELL, price }));
    });
    [97, 99, 98, 99].forEach((price, i) => {
      book.place(orderOf(i + 5, { side: BUY, price }));
    });
    assert.deepEqual(idsOf(store, walk(book, SELL)), [1, 3, 4, 2]);
    assert.deepEqual(idsOf(store, walk(book, BUY)), [6, 8, 7, 5]);
    assert.equal(book.bestPrice(SELL), 101);
    assert.equal(book.bestPrice(BUY), 99);
    assert.deepEqual(book.levels(SELL, 2), [
      { price: 101, quantity: 20 },
      { price: 102, quantity: 10 },
    ]);
    assert.equal(book.sideQuantity(BUY), 40);
  });

  test('ORD-6 an order filled in part keeps its place; filled to the end it leaves every index at once', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const first = book.place(orderOf(1, { owner: 2 }));
    book.place(orderOf(2, { owner: 2 }));
    book.reduce(first, 4);
    assert.deepEqual(idsOf(store, walk(book, BUY)), [1, 2]);
    assert.equal(store.quantity(first), 10);
    assert.equal(store.remaining(first), 6);
    book.reduce(first, 6);
    assert.deepEqual(idsOf(store, walk(book, BUY)), [2]);
    assert.equal(store.find(1), NIL);
    assert.equal(store.countOf(2), 1);
    assert.deepEqual(book.levels(BUY, 12), [{ price: 100, quantity: 10 }]);
  });

  test('the version rises by one with each change and with nothing else', () => {
    const book = new Book(new OrderStore(), 1);
    const h = book.place(orderOf(1, {}));
    book.levels(BUY, 1);
    book.next(h);
    assert.equal(book.version, 1);
    book.reduce(h, 1);
    assert.equal(book.version, 2);
    book.reduce(h, 9);
    assert.equal(book.version, 3);
    const placed = book.place(orderOf(2, {}));
    const moved = book.replace(placed, orderOf(3, { price: 101 }));
    assert.equal(book.version, 5);
    book.remove(moved);
    assert.equal(book.version, 6);
  });

  test('NUM-1 sums past 2^53 leave no error behind', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const huge = Number.MAX_SAFE_INTEGER;
    const keeper = book.place(orderOf(1, { price: 1, quantity: 3 }));
    const handles = Array.from({ length: 41 }, (_, i) =>
      book.place(orderOf(i + 2, { price: 1, quantity: huge - 2 * i })),
    );
    const exact = 3n + handles.reduce((sum, h) => sum + BigInt(store.remaining(h)), 0n);
    assert.equal(book.sideQuantity(BUY), Number(exact));
    assert.deepEqual(book.levels(BUY, 1), [{ price: 1, quantity: Number(exact) }]);
    for (const h of handles) {
      book.reduce(h, 12_345_678_901);
      book.remove(h);
    }
    assert.equal(book.sideQuantity(BUY), 3);
    assert.equal(store.remaining(keeper), 3);
  });

  test('ids up to 2^53 are found, also when their low bits agree', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const ids = [2 ** 53 - 1, 1, 2 ** 32 + 1, 2 ** 40 + 1, 2 ** 31, 2 ** 52 + 1];
    const handles = ids.map((id) => book.place(orderOf(id, {})));
    assert.deepEqual(
      ids.map((id) => store.find(id)),
      handles,
    );
    book.remove(handles[2]!);
    assert.deepEqual(
      ids.map((id) => store.find(id)),
      handles.with(2, NIL),
    );
    assert.equal(store.find(2 ** 33 + 1), NIL);
  });

  test('a call that would break the book throws and changes nothing', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const other = new Book(store, 2);
    const h = book.place(orderOf(1, { price: 100 }));
    const gone = book.place(orderOf(2, {}));
    book.remove(gone);
    const version = book.version;
    assert.throws(() => book.place(orderOf(1, {})), /rests already/);
    assert.throws(() => book.place(orderOf(3, { side: SELL, price: 100 })), /would cross/);
    for (const bad of [
      { price: 0 },
      { price: 1.5 },
      { quantity: 0 },
      { remaining: 11 },
      { owner: -1 },
      { owner: 2 ** 26, price: 50 },
      { price: 2 ** 53 },
    ]) {
      assert.throws(() => book.place(orderOf(3, bad)), /not an order that can rest/, JSON.stringify(bad));
    }
    assert.throws(() => book.replace(h, orderOf(1, {})), /rests already/);
    assert.throws(() => book.replace(h, orderOf(3, { price: -1 })), /not an order that can rest/);
    assert.throws(() => book.replace(h, orderOf(3, { owner: 1 })), /cannot take the place/);
    assert.throws(() => book.replace(h, orderOf(3, { side: SELL, price: 101 })), /cannot take the place/);
    assert.throws(() => book.replace(gone, orderOf(3, {})), /not of an order resting/);
    for (const bad of [0, -1, 11, Number.NaN, 0.5])
      assert.throws(() => book.reduce(h, bad), /cannot be filled/);
    assert.throws(() => other.remove(h), /not of an order resting in book 2/);
    assert.throws(() => other.reduce(h, 1), /not of an order resting in book 2/);
    assert.throws(() => book.remove(gone), /not of an order resting/);
    assert.throws(() => book.next(gone), /not of an order resting/);
    assert.throws(() => book.reduce(gone, 1), /not of an order resting/);
    for (const bad of [NIL, 900, 2_000_000]) {
      assert.throws(() => book.remove(bad), /not of an order resting/, String(bad));
      assert.throws(() => book.next(bad), /not of an order resting/, String(bad));
      assert.throws(() => book.reduce(bad, 1), String(bad));
    }
    assert.equal(book.version, version);
    assert.deepEqual(book.levels(BUY, 12), [{ price: 100, quantity: 10 }]);
    assert.equal(store.count, 1);
  });
});

/** The same book, obvious and slow: one list in order of placement. */
class NaiveStore {
  orders: (RestingOrder & { book: number; h: number })[] = [];

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
      assert.equal(this.store.find(target.id), NIL);
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
    assert.equal(this.store.find(target.id), NIL);
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
    assert.equal(book.best(side), expected[0]?.h ?? NIL);
    assert.equal(book.bestPrice(side), expected[0]?.price ?? Number.NaN);
    assert.deepEqual(
      walk(book, side),
      expected.map((o) => o.h),
    );
    assert.deepEqual(book.levels(side, Number.POSITIVE_INFINITY), levels);
    assert.deepEqual(book.levels(side, 3), levels.slice(0, 3));
    assert.equal(
      book.sideQuantity(side),
      levels.reduce((sum, level) => sum + level.quantity, 0),
    );
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

describe('an order that takes the place of another', () => {
  test('alone at its price it keeps its record, wherever between its neighbours it goes', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const [worst, middle, best] = [90, 100, 110].map((price, i) => book.place(orderOf(i + 1, { price })));
    assert.equal(book.replace(middle!, orderOf(4, { price: 109 })), middle);
    assert.equal(book.replace(worst!, orderOf(5, { price: 1 })), worst);
    assert.equal(book.replace(best!, orderOf(6, { price: 110, quantity: 3 })), best);
    assert.deepEqual(idsOf(store, walk(book, BUY)), [6, 4, 5]);
    assert.deepEqual(idsOf(store, ownersWalk(store, 0)), [4, 5, 6]);
    assert.deepEqual(book.levels(BUY, 1), [{ price: 110, quantity: 3 }]);
  });

  test('ORD-6 at its own price or at that of others it joins the end', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const [first] = [100, 100, 90].map((price, i) => book.place(orderOf(i + 1, { price })));
    const again = book.replace(first!, orderOf(4, { price: 100 }));
    assert.deepEqual(idsOf(store, walk(book, BUY)), [2, 4, 3]);
    book.replace(again, orderOf(5, { price: 90 }));
    assert.deepEqual(idsOf(store, walk(book, BUY)), [2, 3, 5]);
  });
});

describe('a side of many levels', () => {
  test('ORD-6 after its worst levels have gone, a still worse price finds its place', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const handles = Array.from({ length: 200 }, (_, i) => book.place(orderOf(i + 1, { price: 1_000 + i })));
    for (const h of handles.slice(0, 100)) book.remove(h);
    book.place(orderOf(201, { price: 1_050 }));
    book.place(orderOf(202, { price: 7 }));
    assert.deepEqual(idsOf(store, walk(book, BUY)).slice(98), [102, 101, 201, 202]);
  });
});

describe('records are used again', () => {
  /** Fills the store to the record with one price an order, in an order of its own, then empties it. */
  function fillAndEmpty(store: OrderStore, book: Book, round: number): void {
    const handles: number[] = [];
    for (let i = 0; i < 4_096; i++) {
      const price = 1 + ((i * 1_731 + round * 97) % 4_096);
      handles.push(book.place(orderOf(round * 4_096 + i + 1, { owner: i % 7, price })));
    }
    assert.equal(store.count, 4_096);
    for (let i = 0; i < 4_096; i++) {
      const h = handles[(i * 2_049 + round) % 4_096]!;
      if (i % 2 === 0) book.remove(h);
      else book.reduce(h, 10);
    }
    assert.equal(store.count, 0);
  }

  test('after everything has left, the same number of orders and levels fits without another byte', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    fillAndEmpty(store, book, 0);
    const bytes = store.bytes;
    for (let round = 1; round <= 40; round++) fillAndEmpty(store, book, round);
    assert.equal(store.bytes, bytes);
    assert.equal(book.best(BUY), NIL);
    for (let owner = 0; owner < 7; owner++) {
      assert.equal(store.firstOf(owner), NIL);
      assert.equal(store.countOf(owner), 0);
    }
  });
});
