import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Micros, toMicros } from '@venue/protocol';
import fc from 'fast-check';
import {
  Book,
  type BookSide,
  BUY,
  type Lifted,
  type OrderHandle,
  OrderStore,
  SELL,
  type Sieve,
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

/** The most that each owner below zero may trade; the others may trade all they have. */
type Allowances = Map<number, number>;

/** The orders of which enough may trade once those ahead have: all of them, or those that a sieve offers, which strikes the rest. */
function counted(book: Book, side: BookSide, allowances: Allowances, sieve: Sieve | null): OrderHandle[] {
  const found: OrderHandle[] = [];
  const left = new Map(allowances);
  const all = sieve === null ? walked(book, side) : null;
  for (let i = 0; ; ) {
    const h = all === null ? sieve!.at(i) : (all[i] ?? null);
    if (h === null) return found;
    const owner = book.orders.owner(h);
    const open = Math.min(book.orders.remaining(h), left.get(owner) ?? Number.POSITIVE_INFINITY);
    if (LARGE.passes(book.orders.price(h), open as Micros)) {
      found.push(h);
      left.set(owner, (left.get(owner) ?? Number.POSITIVE_INFINITY) - open);
    } else if (sieve !== null) {
      sieve.strike(h);
      continue;
    }
    i += 1;
  }
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
  owner: fc.constantFrom(1, -1, -2),
  at: fc.nat(),
});
type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

class Market {
  readonly book = new Book(new OrderStore(), 1);
  readonly #compare: (book: Book, side: BookSide) => void;
  #lastId = 0;

  /** `compare` looks at a side of the book while some of it is aside. */
  constructor(compare: (book: Book, side: BookSide) => void) {
    this.#compare = compare;
  }

  apply({ kind, side, price: distance, quantity, owner, at }: Step): void {
    const { book } = this;
    const price = toMicros(side === BUY ? 100 - distance : 100 + distance);
    this.#lastId += 1;
    const order = { id: this.#lastId, owner, side, price, quantity, remaining: quantity, placedAt: 0 };
    if (kind === 'place') book.place(order);
    if (kind === 'look') sifted(book, side, at % 4);
    const all = this.#all(side);
    const h = all[at % Math.max(1, all.length)];
    if (h === undefined) return;
    const remaining = book.orders.remaining(h);
    if (kind === 'reduce') book.reduce(h, Math.min(quantity, remaining));
    if (kind === 'remove') book.remove(h);
    if (kind === 'replace') book.replace(h, { ...order, owner: book.orders.owner(h) });
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
    this.#compare(book, side);
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
        const market = new Market((of, side) =>
          assert.deepEqual(sifted(of, side, 3), walked(of, side).slice(0, 3)),
        );
        const { book } = market;
        const seen = new Map<BookSide, { version: number; now: number[][] }>();
        for (const step of steps) {
          market.apply(step);
          for (const side of [BUY, SELL] as const) {
            const sieve = book.sieve(side, LARGE);
            const found = sifted(book, side, depth);
            assert.deepEqual(found, walked(book, side).slice(0, depth));
            const now = found.map((h) => [h, book.orders.id(h), book.orders.remaining(h)]);
            const last = seen.get(side);
            if (last?.version === sieve.version) assert.deepEqual(now, last.now);
            seen.set(side, { version: sieve.version, now });
            sieve.readTo = found.length < depth ? Number.POSITIVE_INFINITY : depth;
          }
        }
        for (const side of [BUY, SELL] as const)
          assert.deepEqual(sifted(book, side, steps.length), walked(book, side));
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  test('are those that are left of each owner, where a reader strikes the others until something of theirs changes', () => {
    let struck = 0;
    fc.assert(
      fc.property(fc.array(STEP, { minLength: 30, maxLength: 60 }), fc.nat(), (steps, seed) => {
        const allowances: Allowances = new Map([-1, -2].map((owner) => [owner, 25]));
        const compare = (of: Book, side: BookSide) => {
          const sieve = of.sieve(side, LARGE);
          assert.deepEqual(counted(of, side, allowances, sieve), counted(of, side, allowances, null));
          struck += [...sieve.struckOwners].length;
        };
        const market = new Market(compare);
        const { book } = market;
        for (const [i, step] of steps.entries()) {
          market.apply(step);
          if ((seed + i) % 5 === 0) {
            allowances.set(step.owner, step.at % 60);
            for (const side of [BUY, SELL] as const) book.sieve(side, LARGE).putBack(step.owner);
          }
          if (step.kind !== 'look') for (const side of [BUY, SELL] as const) compare(book, side);
        }
      }),
      { numRuns: 200, seed: 5 },
    );
    assert.ok(struck > 1_000, `${struck} times orders of an owner were struck`);
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
