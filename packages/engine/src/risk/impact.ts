/** The price at which a side of a book trades an amount that costs something to show (RSK-2). */

import { MICROS_MAX, MICROS_PER_UNIT, type Micros, mulDivCeil, mulDivFloor, toMicros } from '@venue/protocol';
import type { Book, BookSide, OrderHandle, Sieve, SieveTest } from '../book/book.ts';
import { FillableWalk } from '../state/fillable-walk.ts';
import { isSetOwner, type SetUse } from '../state/quote-sets.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import type { ImpactUses } from './mark-rows.ts';

/** An order worth less than this part of the impact size is passed over: no number of them takes a side's bound away. */
const DUST_PARTS = 1_000;
const DUST_QTY_MICROS = MICROS_PER_UNIT / DUST_PARTS;
const DUST_VALUE_FACTOR = MICROS_PER_UNIT / DUST_PARTS;

/** The premium of the impact size. */
export function impactSizeMicros(state: State): Micros {
  return parametersOf(state).impactMicros;
}

/** True for what an impact price passes over: less than a thousandth of the impact size, in contracts or in premium. */
export function isDust(sizeMicros: Micros, priceMicros: Micros, qtyMicros: number): boolean {
  if (qtyMicros < DUST_QTY_MICROS) return true;
  if (sizeMicros * DUST_VALUE_FACTOR <= MICROS_MAX)
    return priceMicros * qtyMicros < sizeMicros * DUST_VALUE_FACTOR;
  return BigInt(priceMicros) * BigInt(qtyMicros) < BigInt(sizeMicros) * BigInt(DUST_VALUE_FACTOR);
}

/** The tests of impact prices, by their size: books keep what passes a test for as long as it is the same one. */
const TESTS = new Map<Micros, SieveTest>();

export function noDust(sizeMicros: Micros): SieveTest {
  const known = TESTS.get(sizeMicros);
  if (known !== undefined) return known;
  const test: SieveTest = { passes: (price, remaining) => !isDust(sizeMicros, price, remaining) };
  TESTS.set(sizeMicros, test);
  return test;
}

/**
 * The orders of a side that may count, in match priority: no dust, and no quotes that the walk of an impact price has passed over as
 * long as their set's quotes on the side and its shown allowance are what they were. What is left of an allowance depends
 * on the set's own quotes ahead and on nobody else's, because all that an impact price counts is taken whole but the last.
 */
export function countingOrders({ quoteSets }: State, book: Book, side: BookSide, sizeMicros: Micros): Sieve {
  const sieve = book.sieve(side, noDust(sizeMicros));
  const changed = quoteSets.changedSince(sieve.struckAt);
  for (const owner of changed ?? sieve.struckOwners) sieve.putBack(owner);
  // A copy of a state has books in common with others, and allowances of its own.
  if (!quoteSets.isCopy) sieve.struckAt = quoteSets.version;
  return sieve;
}

/** The fewest contracts at a price that are no dust. */
function leastMicros(sizeMicros: Micros, priceMicros: Micros): number {
  return Math.max(DUST_QTY_MICROS, mulDivCeil(sizeMicros, DUST_VALUE_FACTOR, priceMicros));
}

/** An impact price, and what it took of quote sets. */
export interface Impact {
  /** Null if the side holds less than the impact size. */
  readonly priceMicros: Micros | null;
  readonly uses: ImpactUses;
}

/**
 * The average price of the first contracts of a side that are worth the impact premium at their prices, one contract at
 * least, rounded down; null if the side holds less. Dust is passed over. The contracts are rounded up to the micro
 * (DET-8).
 */
export function impactOfSide(state: State, series: Series, side: BookSide): Impact {
  return quickImpact(state, series, side) ?? exactImpact(state, series, side);
}

/** The same in doubles; null if a product leaves their exact range. */
export function quickImpact(state: State, series: Series, side: BookSide): Impact | null {
  const walk = new ImpactWalk(state, series, side);
  const wantedValue = walk.sizeMicros * MICROS_PER_UNIT;
  if (wantedValue > MICROS_MAX) return null;
  let qty = 0;
  let value = 0;
  for (let h = walk.next(); h !== null; h = walk.next()) {
    const { priceMicros: price } = walk;
    const wanted = Math.max(MICROS_PER_UNIT - qty, mulDivCeil(wantedValue - value, 1, price));
    const taken = Math.min(wanted, walk.fillableMicros);
    if (value + price * taken > MICROS_MAX) return null;
    walk.take(h, taken, wanted);
    qty += taken;
    value += price * taken;
    if (taken === wanted) return walk.end(mulDivFloor(value, 1, qty));
  }
  return walk.end(null);
}

/** The same in exact integers of any size. */
export function exactImpact(state: State, series: Series, side: BookSide): Impact {
  const walk = new ImpactWalk(state, series, side);
  const wantedValue = BigInt(walk.sizeMicros) * BigInt(MICROS_PER_UNIT);
  let qty = 0n;
  let value = 0n;
  for (let h = walk.next(); h !== null; h = walk.next()) {
    const [price, fillable] = [BigInt(walk.priceMicros), BigInt(walk.fillableMicros)];
    const byValue = (wantedValue - value + price - 1n) / price;
    const wanted = larger(BigInt(MICROS_PER_UNIT) - qty, byValue);
    const taken = wanted < fillable ? wanted : fillable;
    walk.take(h, Number(taken), taken === wanted ? Number(taken) : Number.POSITIVE_INFINITY);
    qty += taken;
    value += price * taken;
    if (taken === wanted) return walk.end(toMicros(Number(value / qty)));
  }
  return walk.end(null);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/**
 * Goes through what is no dust. At most a thousand orders are counted, because each is a thousandth of the impact size.
 */
class ImpactWalk {
  readonly sizeMicros: Micros;
  /** The price of the order at hand. */
  priceMicros: Micros = toMicros(0);
  fillableMicros: Micros = toMicros(0);
  readonly #book: Series['book'];
  readonly #walk: FillableWalk;
  readonly #sieve: Sieve;
  readonly #strikes: boolean;
  #index = 0;
  /** Owners of sets that did not let a quote trade in full, other than those with struck quotes. */
  readonly #cut = new Set<number>();

  constructor(state: State, { book }: Series, side: BookSide) {
    this.sizeMicros = impactSizeMicros(state);
    this.#book = book;
    this.#walk = new FillableWalk(state, { orders: book.orders, isOfMarks: true });
    this.#sieve = countingOrders(state, book, side, this.sizeMicros);
    this.#strikes = !state.quoteSets.isCopy;
  }

  /** The next order that counts; null past the last. */
  next(): OrderHandle | null {
    const { orders } = this.#book;
    for (let h = this.#sieve.at(this.#index); h !== null; h = this.#sieve.at(this.#index)) {
      const price = orders.price(h);
      const remaining = orders.remaining(h);
      const fillable = this.#walk.fillableMicros(h);
      if (fillable < remaining && isDust(this.sizeMicros, price, fillable)) {
        this.#passOver(h);
        continue;
      }
      this.#index += 1;
      this.priceMicros = price;
      this.fillableMicros = fillable;
      return h;
    }
    return null;
  }

  #passOver(h: OrderHandle): void {
    if (this.#strikes) {
      this.#sieve.strike(h);
      return;
    }
    this.#cut.add(this.#book.orders.owner(h));
    this.#index += 1;
  }

  /** Counts what is taken of the order at hand, of what was wanted. */
  take(h: OrderHandle, taken: number, wanted: number): void {
    const { orders } = this.#book;
    if (!isSetOwner(orders.owner(h))) return;
    if (taken < wanted && taken < orders.remaining(h)) this.#cut.add(orders.owner(h));
    // With less than this left of its allowance the quote would have been passed over.
    this.#walk.take(h, Math.max(taken, leastMicros(this.sizeMicros, this.priceMicros)));
  }

  end(priceMicros: Micros | null): Impact {
    if (this.#strikes) this.#sieve.readTo = priceMicros === null ? Number.POSITIVE_INFINITY : this.#index;
    const uses = new Map<number, SetUse | null>();
    for (const use of this.#walk.uses) uses.set(use.owner, use);
    for (const owner of this.#cut) uses.set(owner, null);
    return { priceMicros, uses };
  }
}
