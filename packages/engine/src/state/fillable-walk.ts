/** Quantities that resting orders may still trade, quotes of a set by the allowance of their set (QTS-3, BAT-6). */

import { type Micros, toMicros, ZERO } from '@venue/protocol';
import type { OrderHandle, OrderStore } from '../book/book.ts';
import type { Sid } from './ids.ts';
import {
  type Allowance,
  countedOf,
  deltaLimit,
  hasQuotes,
  ownerOfSet,
  type QuoteSet,
  type QuoteSets,
  type SetRow,
  type SetUse,
} from './quote-sets.ts';
import type { State } from './state.ts';

/** The quantity that a resting order may trade now. A quote that stands may trade at least a micro. */
export function fillableMicros(state: State, h: OrderHandle): Micros {
  const { orders, quoteSets } = state;
  const owner = orders.owner(h);
  const remaining = orders.remaining(h);
  if (owner >= 0) return remaining;
  const set = quoteSets.ofOwner(owner);
  return cutMicros(set, set.rows.get(orders.book(h) as Sid), remaining);
}

/** The part of a row's quantity that an allowance still lets trade. */
function cutMicros(
  { protection, usedMicros, usedDelta }: Allowance,
  row: SetRow | undefined,
  qtyMicros: number,
): Micros {
  const byContracts = Math.min(qtyMicros, protection.qtyMicros - usedMicros);
  if (protection.deltaMicros === null) return toMicros(byContracts);
  const counted = countedOf(row);
  if (counted === 0) return toMicros(byContracts);
  const byDelta = (deltaLimit(protection.deltaMicros) - usedDelta) / BigInt(counted);
  return toMicros(byDelta < BigInt(byContracts) ? Number(byDelta) : byContracts);
}

/**
 * True if with an allowance some standing quote of the set could not trade a micro more (DET-5). `isStanding` tells
 * whether a row still has quotes.
 */
export function isUsedUp(
  { rows, deltaBoundMicros }: QuoteSet,
  { protection, usedMicros, usedDelta }: Allowance,
  isStanding: (row: SetRow) => boolean = hasQuotes,
): boolean {
  if (usedMicros >= protection.qtyMicros) return true;
  if (protection.deltaMicros === null) return false;
  const left = deltaLimit(protection.deltaMicros) - usedDelta;
  if (left >= BigInt(deltaBoundMicros)) return false;
  for (const row of rows.values()) {
    if (isStanding(row) && left < BigInt(row.countedMicros)) return true;
  }
  return false;
}

/** True if the shown allowance of the set covers as much, with some of it left: a walk as before would find it uncut. */
export function isCovered({ quoteSets }: State, { owner, sid, takenMicros }: SetUse): boolean {
  const set = quoteSets.ofOwner(owner);
  const { protection, usedMicros, usedDelta, countedMicros } = set.shown;
  const taken = BigInt(takenMicros) * BigInt(countedOf(set.rows.get(sid)));
  const left = { protection, usedMicros: usedMicros + takenMicros, usedDelta: usedDelta + taken };
  return !isUsedUpAt(left, countedMicros);
}

/** The same if as much were taken in whichever series of the set counts the most delta. */
export function isCoveredAnywhere({ shown, deltaBoundMicros }: QuoteSet, takenMicros: number): boolean {
  const { protection, usedMicros, usedDelta } = shown;
  const taken = BigInt(takenMicros) * BigInt(deltaBoundMicros);
  const left = { protection, usedMicros: usedMicros + takenMicros, usedDelta: usedDelta + taken };
  return !isUsedUpAt(left, deltaBoundMicros);
}

/** True if with an allowance a quote whose contracts count so much could not trade a micro more. */
function isUsedUpAt({ protection, usedMicros, usedDelta }: Allowance, countedMicros: number): boolean {
  if (usedMicros >= protection.qtyMicros) return true;
  return (
    protection.deltaMicros !== null && deltaLimit(protection.deltaMicros) - usedDelta < BigInt(countedMicros)
  );
}

/** A set that a walk has traded with. */
interface Touched extends Allowance {
  readonly set: QuoteSet;
  usedMicros: number;
  /** Kept of sets alone that have a limit on delta. */
  usedDelta: bigint;
  /** Contracts traded in the walk, in the series first met and in others: most walks are along one book. */
  readonly sid: Sid;
  takenMicros: number;
  others: Map<Sid, number> | null;
  isUsedUp: boolean;
}

function takenIn(touched: Touched, sid: Sid): number {
  return sid === touched.sid ? touched.takenMicros : (touched.others?.get(sid) ?? 0);
}

/** A set after a walk: what of its allowance is used, and whether its quotes have left. */
export type WalkedSet = Pick<Touched, 'set' | 'isUsedUp' | 'usedMicros' | 'usedDelta'>;

/**
 * A walk over resting orders that trades nothing, and knows of every order what it may still trade once those before it
 * have: the allowance of a set is one for all its quotes, and the quotes of one that is used up are passed over. Every
 * reader of a book that asks what would trade must walk so (BAT-6). Nothing is kept until a quote of a set is met.
 *
 * @example
 * const walk = new FillableWalk(state);
 * for (let h = book.best(SELL); h !== null && left > 0; h = book.next(h)) {
 *   const qty = Math.min(left, walk.fillableMicros(h)); // 0 for a quote that has left by then
 *   walk.take(h, qty);
 *   left -= qty;
 * }
 */
export class FillableWalk {
  readonly #quoteSets: QuoteSets;
  readonly #orders: OrderStore;
  readonly #isOfMarks: boolean;
  #touched: Map<QuoteSet, Touched> | null = null;

  /**
   * `orders` are those of the state, or of one that it is a copy of. Goes by the allowances as they are, or for marks as the
   * last entry left them.
   */
  constructor(
    { quoteSets, orders: own }: State,
    { orders = own, isOfMarks = false }: { readonly orders?: OrderStore; readonly isOfMarks?: boolean } = {},
  ) {
    this.#quoteSets = quoteSets;
    this.#orders = orders;
    this.#isOfMarks = isOfMarks;
  }

  /** The quantity that a resting order may trade out of what the walk has left of it. */
  fillableMicros(h: OrderHandle, remaining: Micros = this.#orders.remaining(h)): Micros {
    const owner = this.#orders.owner(h);
    if (owner >= 0) return remaining;
    const set = this.#quoteSets.ofOwner(owner);
    const touched = this.#touched?.get(set);
    if (touched?.isUsedUp === true) return ZERO;
    const row = set.rows.get(this.#orders.book(h) as Sid);
    return cutMicros(touched ?? this.#allowanceOf(set), row, remaining);
  }

  /** Counts that a resting order trades so much, which it may. */
  take(h: OrderHandle, qtyMicros: number): void {
    const owner = this.#orders.owner(h);
    if (owner >= 0 || qtyMicros === 0) return;
    const sid = this.#orders.book(h) as Sid;
    const touched = this.#touch(this.#quoteSets.ofOwner(owner), sid);
    const { set } = touched;
    touched.usedMicros += qtyMicros;
    if (sid === touched.sid) touched.takenMicros += qtyMicros;
    else {
      touched.others ??= new Map();
      touched.others.set(sid, takenIn(touched, sid) + qtyMicros);
    }
    if (touched.protection.deltaMicros !== null)
      touched.usedDelta += BigInt(qtyMicros) * BigInt(countedOf(set.rows.get(sid)));
    touched.isUsedUp = this.#isOfMarks
      ? isUsedUpAt(touched, set.shown.countedMicros)
      : isUsedUp(
          set,
          touched,
          ({ sid: of, bidMicros, askMicros }) => bidMicros + askMicros > takenIn(touched, of),
        );
  }

  #allowanceOf(set: QuoteSet): Allowance {
    return this.#isOfMarks ? set.shown : set;
  }

  /** The sets that the walk has taken from. */
  get sets(): readonly WalkedSet[] {
    return this.#touched === null ? NONE : [...this.#touched.values()];
  }

  /** How many quotes stand of the sets that the walk has used up. */
  get leaving(): number {
    if (this.#touched === null) return 0;
    let leaving = 0;
    for (const { set, isUsedUp } of this.#touched.values())
      if (isUsedUp) leaving += this.#orders.countOf(ownerOfSet(set));
    return leaving;
  }

  /** All that the walk has taken of sets. */
  get uses(): SetUse[] {
    const uses: SetUse[] = [];
    for (const { set, sid, takenMicros, others } of this.#touched?.values() ?? NONE) {
      const owner = ownerOfSet(set);
      uses.push({ owner, sid, takenMicros });
      for (const [of, taken] of others ?? NONE) uses.push({ owner, sid: of, takenMicros: taken });
    }
    return uses;
  }

  #touch(set: QuoteSet, sid: Sid): Touched {
    this.#touched ??= new Map();
    const known = this.#touched.get(set);
    if (known !== undefined) return known;
    const { protection, usedMicros, usedDelta } = this.#allowanceOf(set);
    const taken = { sid, takenMicros: 0, others: null };
    const touched: Touched = { set, protection, usedMicros, usedDelta, ...taken, isUsedUp: false };
    this.#touched.set(set, touched);
    return touched;
  }
}

const NONE: readonly never[] = [];
