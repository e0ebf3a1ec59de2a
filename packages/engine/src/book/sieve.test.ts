import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toMicros } from '@venue/protocol';
import fc from 'fast-check';
import {
  Book,
  type BookSide,
  BUY,
  type Lifted,
  type OrderHandle,
  OrderStore,
  SELL,
  type SieveTest,
} from './book.ts';

const LARGE: SieveTest = { passes: (_, remaining) => remaining >= 10 };

/** All that pass, found by a walk over the whole side. */
function walked(book: Book, side: BookSide): OrderHandle[] {
  const found: OrderHandle[] = [];
  for (let h = book.best(side); h !== null; h = book.next(h))
    if (LARGE.passes(book.orders.price(h), book.orders.remaining(h))) found.push(h);
  return found;
}

function sifted(book: Book, side: BookSide, count: number): OrderHandle[] {
  const sieve = book.sieve(side, LARGE);
  const found: OrderHandle[] = [];
  for (let i = 0, h = sieve.at(0); h !== null && i < count; i += 1, h = sieve.at(i)) found.push(h);
  return found;
}

const STEP = fc.record({
  kind: fc.constantFrom(
    'place',
    'place',
    'place',
    'reduce',
    'remove',
    'replace',
    'shrink',
    'requeue',
    'aside',
    'look',
  ),
  side: fc.constantFrom<BookSide>(BUY, SELL),
  price: fc.integer({ min: 1, max: 6 }),
  quantity: fc.integer({ min: 1, max: 25 }),
  at: fc.nat(),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

class Market {
  readonly book = new Book(new OrderStore(), 1);
  #lastId = 0;

  apply({ kind, side, price: distance, quantity, at }: Step): void {
    const { book } = this;
    const price = toMicros(side === BUY ? 100 - distance : 100 + distance);
    this.#lastId += 1;
    const order = { id: this.#lastId, owner: 1, side, price, quantity, remaining: quantity, placedAt: 0 };
    if (kind === 'place') book.place(order);
    if (kind === 'look') sifted(book, side, at % 4);
    const all = this.#all(side);
    const h = all[at % Math.max(1, all.length)];
    if (h === undefined) return;
    const remaining = book.orders.remaining(h);
    if (kind === 'reduce') book.reduce(h, Math.min(quantity, remaining));
    if (kind === 'remove') book.remove(h);
    if (kind === 'replace') book.replace(h, order);
    if (kind === 'shrink' && remaining > 1)
      book.shrink(h, { quantity: book.orders.quantity(h) - 1, remaining: toMicros(remaining - 1) });
    if (kind === 'requeue') book.requeue(book.lift(h), { price, quantity, remaining: quantity });
    if (kind === 'aside') this.#putAside(side, at);
  }

  /** Takes some orders out and the next in part, looks, and puts all back in reverse. */
  #putAside(side: BookSide, at: number): void {
    const { book } = this;
    const lifted: Lifted[] = [];
    for (const h of this.#all(side).slice(0, 1 + (at % 4))) lifted.push(book.lift(h));
    const next = book.best(side);
    const part = next === null ? 0 : book.orders.remaining(next) - 1;
    if (next !== null && part > 0) book.reduce(next, part);
    assert.deepEqual(sifted(book, side, 3), walked(book, side).slice(0, 3));
    if (next !== null && part > 0) book.restore(next, part);
    for (const one of lifted.reverse()) book.putBack(one);
  }

  #all(side: BookSide): OrderHandle[] {
    const all: OrderHandle[] = [];
    for (let h = this.book.best(side); h !== null; h = this.book.next(h)) all.push(h);
    return all;
  }
}

describe('RSK-2 the orders of a side that count for an impact price', () => {
  test('are those that a walk over the side finds, in its order, whatever happens to the book', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 60 }), fc.nat(4), (steps, depth) => {
        const market = new Market();
        const { book } = market;
        for (const step of steps) {
          market.apply(step);
          for (const side of [BUY, SELL] as const)
            assert.deepEqual(sifted(book, side, depth), walked(book, side).slice(0, depth));
        }
        for (const side of [BUY, SELL] as const)
          assert.deepEqual(sifted(book, side, steps.length), walked(book, side));
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  test('are found without meeting what does not pass again', () => {
    const book = new Book(new OrderStore(), 1);
    const dust = 1_000;
    const place = (id: number, price: number, quantity: number) =>
      book.place({ id, owner: 1, side: BUY, price, quantity, remaining: quantity, placedAt: 0 });
    for (let i = 1; i <= dust; i++) place(i, 1_000 + (i % 7), 1);
    place(dust + 1, 500, 20);
    const sieve = book.sieve(BUY, LARGE);
    assert.equal(sieve.at(0), book.orders.find(dust + 1));
    const { met } = sieve;
    for (let i = 2; i <= 65; i++) {
      place(dust + i, 2_000 + i, i % 2 === 0 ? 1 : 20);
      sifted(book, BUY, 10);
    }
    assert.ok(met > dust && sieve.met - met <= 2 * 65, `${sieve.met - met} orders met`);
  });

  test('are kept as far as somebody has looked, however many there are at a price or come before them', () => {
    const book = new Book(new OrderStore(), 1);
    const looks = 10;
    const place = (id: number, price: number) =>
      book.place({ id, owner: 1, side: BUY, price, quantity: 20, remaining: 20, placedAt: 0 });
    for (let id = 1; id <= 1_000; id++) place(id, 1_000);
    const sieve = book.sieve(BUY, LARGE);
    for (let id = 1_001; id <= 3_000; id++) {
      if (id % 20 === 0) assert.deepEqual(sifted(book, BUY, looks), walked(book, BUY).slice(0, looks));
      assert.ok(sieve.size < 100, `${sieve.size} orders are kept`);
      if (id % 2 === 0) place(id, 1_000);
      else place(id, 1_000 + Math.floor(id / 20));
    }
    for (const h of walked(book, BUY).slice(0, 2_500)) book.remove(h);
    assert.deepEqual(sifted(book, BUY, looks), walked(book, BUY).slice(0, looks));
  });
});
