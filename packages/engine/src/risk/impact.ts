/** The price at which a side of a book trades an amount that costs something to show (RSK-2). */

import { MICROS_MAX, MICROS_PER_UNIT, type Micros, mulDivCeil, mulDivFloor, toMicros } from '@venue/protocol';
import type { BookSide } from '../book/book.ts';
import { FillableWalk } from '../state/fillable-walk.ts';
import { IMPACT_ORDERS_MAX } from '../state/limits.ts';
import type { ImpactAllowances } from '../state/risk-marks.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';

/** Before level 5 no parameter says it. */
const IMPACT_MICROS = toMicros(1_000_000_000);

/** The premium of the impact size. */
export function impactSizeMicros(state: State): Micros {
  return parametersOf(state).impactMicros ?? IMPACT_MICROS;
}

/** An impact price, and what it took of quote sets. */
export interface Impact extends Omit<ImpactAllowances, 'version'> {
  /** Null if the side holds less than the impact size. */
  readonly priceMicros: Micros | null;
}

/**
 * The average price of the first contracts of a side that are worth the impact premium at their prices, one contract at
 * least, rounded down; null if the side holds less, or if as many would take more orders than are walked. The contracts
 * are rounded up to the micro (DET-8).
 */
export function impactOfSide(state: State, series: Series, side: BookSide): Impact {
  return quickImpact(state, series, side) ?? exactImpact(state, series, side);
}

/** The same in doubles; null if a product leaves their exact range. */
export function quickImpact(state: State, { book }: Series, side: BookSide): Impact | null {
  const { orders } = book;
  const walk = new FillableWalk(state, orders);
  const wantedValue = impactSizeMicros(state) * MICROS_PER_UNIT;
  if (wantedValue > MICROS_MAX) return null;
  let qty = 0;
  let value = 0;
  let walked = 0;
  let isCut = false;
  for (let h = book.best(side); h !== null && walked < IMPACT_ORDERS_MAX; h = book.next(h)) {
    const price = orders.price(h);
    const wanted = Math.max(MICROS_PER_UNIT - qty, mulDivCeil(wantedValue - value, 1, price));
    const taken = Math.min(wanted, walk.fillableMicros(h));
    if (value + price * taken > MICROS_MAX) return null;
    if (taken < wanted && taken < orders.remaining(h)) isCut = true;
    walk.take(h, taken);
    qty += taken;
    value += price * taken;
    if (taken === wanted) return { priceMicros: mulDivFloor(value, 1, qty), isCut, uses: walk.uses };
    walked += 1;
  }
  return { priceMicros: null, isCut, uses: walk.uses };
}

/** The same in exact integers of any size. */
export function exactImpact(state: State, { book }: Series, side: BookSide): Impact {
  const { orders } = book;
  const walk = new FillableWalk(state, orders);
  const wantedValue = BigInt(impactSizeMicros(state)) * BigInt(MICROS_PER_UNIT);
  let qty = 0n;
  let value = 0n;
  let walked = 0;
  let isCut = false;
  for (let h = book.best(side); h !== null && walked < IMPACT_ORDERS_MAX; h = book.next(h)) {
    const [price, fillable] = [BigInt(orders.price(h)), BigInt(walk.fillableMicros(h))];
    const byValue = (wantedValue - value + price - 1n) / price;
    const wanted = larger(BigInt(MICROS_PER_UNIT) - qty, byValue);
    const taken = wanted < fillable ? wanted : fillable;
    if (taken < wanted && taken < BigInt(orders.remaining(h))) isCut = true;
    walk.take(h, Number(taken));
    qty += taken;
    value += price * taken;
    if (taken === wanted) return { priceMicros: toMicros(Number(value / qty)), isCut, uses: walk.uses };
    walked += 1;
  }
  return { priceMicros: null, isCut, uses: walk.uses };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
