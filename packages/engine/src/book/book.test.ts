import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idsOf, orderOf, ownersWalk, walk } from '../../test/orders.ts';
import { Book, BUY, type OrderHandle, OrderStore, SELL } from './book.ts';

describe('a book', () => {
  test('an empty book has no best order, no best price and no levels', () => {
    const book = new Book(new OrderStore(), 1);
    assert.equal(book.best(BUY), null);
    assert.equal(book.bestPrice(SELL), null);
    assert.deepEqual(book.levels(BUY, 12), []);
    assert.equal(book.version, 0);
  });

  test('ten thousand empty books allocate nothing in the store', () => {
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
  });

  test('QTS-2 owners of the second kind have lists of their own', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const owners = [3, -4, -1, 3, -4, -200, 0];
    owners.forEach((owner, i) => {
      book.place(orderOf(i + 1, { owner, price: 100 - i }));
    });
    const idsOfOwner = (owner: number) => idsOf(store, ownersWalk(store, owner));
    assert.deepEqual([3, -4, -1, -200, 0, 1, -2].map(idsOfOwner), [[1, 4], [2, 5], [3], [6], [7], [], []]);
    book.replace(store.find(2)!, orderOf(8, { owner: -4, price: 50 }));
    book.remove(store.find(1)!);
    assert.deepEqual([3, -4].map(idsOfOwner), [[4], [5, 8]]);
    assert.deepEqual(
      [3, -4].map((owner) => store.countOf(owner)),
      [1, 2],
    );
    assert.equal(store.id(store.lastOf(-4)!), 8);
  });

  test('ORD-6 a partly filled order keeps its place; a completely filled one leaves every index immediately', () => {
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
    assert.equal(store.find(1), null);
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
    assert.deepEqual(book.levels(BUY, 1), [{ price: 1, quantity: Number(exact) }]);
    for (const h of handles) {
      book.reduce(h, 12_345_678_901);
      book.remove(h);
    }
    assert.deepEqual(book.levels(BUY, 1), [{ price: 1, quantity: 3 }]);
    assert.equal(store.remaining(keeper), 3);
  });

  test('ids up to 2^53 are found, even if their low bits agree', () => {
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
      handles.map((h, i) => (i === 2 ? null : h)),
    );
    assert.equal(store.find(2 ** 33 + 1), null);
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
      { owner: -(2 ** 26) - 1 },
      { owner: 0.5 },
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
    for (const bad of [-1, 900, 2_000_000] as OrderHandle[]) {
      assert.throws(() => book.remove(bad), /not of an order resting/, String(bad));
      assert.throws(() => book.next(bad), /not of an order resting/, String(bad));
      assert.throws(() => book.reduce(bad, 1), String(bad));
    }
    assert.equal(book.version, version);
    assert.deepEqual(book.levels(BUY, 12), [{ price: 100, quantity: 10 }]);
    assert.equal(store.count, 1);
  });
});

describe('an order that replaces another', () => {
  test('alone at its price it keeps its record, wherever it moves between its neighbours', () => {
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
  test('ORD-6 after its worst levels are gone, an even worse price finds its place', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    const handles = Array.from({ length: 200 }, (_, i) => book.place(orderOf(i + 1, { price: 1_000 + i })));
    for (const h of handles.slice(0, 100)) book.remove(h);
    book.place(orderOf(201, { price: 1_050 }));
    book.place(orderOf(202, { price: 7 }));
    assert.deepEqual(idsOf(store, walk(book, BUY)).slice(98), [102, 101, 201, 202]);
  });
});

describe('records are reused', () => {
  /** Fills the store to its last record, with one order per price in a different order each round, then empties it. */
  function fillAndEmpty(store: OrderStore, book: Book, round: number): void {
    const handles: OrderHandle[] = [];
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

  test('after everything has left, the same number of orders and levels needs no more memory', () => {
    const store = new OrderStore();
    const book = new Book(store, 1);
    fillAndEmpty(store, book, 0);
    const bytes = store.bytes;
    for (let round = 1; round <= 40; round++) fillAndEmpty(store, book, round);
    assert.equal(store.bytes, bytes);
    assert.equal(book.best(BUY), null);
    for (let owner = 0; owner < 7; owner++) {
      assert.equal(store.firstOf(owner), null);
      assert.equal(store.countOf(owner), 0);
    }
  });
});
