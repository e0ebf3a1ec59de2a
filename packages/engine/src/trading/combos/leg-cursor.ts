/** A walk along the opposite side of a leg's book, and what a micro of a combo costs there (CMB-1). */

import { MICROS_MAX } from '@venue/protocol';
import type { OrderHandle } from '../../book/book.ts';
import type { OpenedLeg } from '../../entry/effects.ts';
import type { FillableWalk } from '../../state/fillable-walk.ts';
import type { State } from '../../state/state.ts';
import { bookSide, ownerIndexOf } from '../resting.ts';
import { visitsOf } from '../work.ts';
import type { SoundCombo } from './combo.ts';

/** An order that a leg meets, in match priority. */
export interface Met {
  readonly h: OrderHandle;
  readonly price: number;
  /** The quantity that it may trade then, and the part that the leg takes of it. */
  readonly fillable: number;
  readonly taken: number;
}

/** Some micros of a leg at one price. */
export interface Part {
  readonly isBuy: boolean;
  readonly price: number;
  readonly qty: number;
}

/** True if a micro of a combo that consists of these parts costs at most the net (DET-6). */
export function isWithinNet(parts: readonly Part[], netMicros: number | null): boolean {
  if (netMicros === null) return true;
  let cost = 0;
  let size = 0;
  for (const { isBuy, price, qty } of parts) {
    cost += isBuy ? price * qty : -price * qty;
    size += price * qty;
  }
  return size <= MICROS_MAX ? cost <= netMicros : exactCost(parts) <= BigInt(netMicros);
}

function exactCost(parts: readonly Part[]): bigint {
  return parts.reduce((sum, { isBuy, price, qty }) => {
    const cost = BigInt(price) * BigInt(qty);
    return isBuy ? sum + cost : sum - cost;
  }, 0n);
}

/**
 * The worst price at which a leg can be part of a combo within its net: with all else at the best prices, a micro of the leg
 * there costs no more. What lies behind need not be looked at.
 */
export function worstPrice({ legs, netMicros }: SoundCombo, leg: OpenedLeg): number {
  const isBuy = leg.side === 'buy';
  if (netMicros === null) return isBuy ? Number.POSITIVE_INFINITY : 0;
  const best = legs.map(
    (each): Part => ({ ...partOf(each), qty: each === leg ? each.ratio - 1 : each.ratio }),
  );
  const left = BigInt(netMicros) - exactCost(best);
  return Number(isBuy ? left : -left);
}

/** A micro of a leg at its best price; every leg has one. */
function partOf({ series, side }: OpenedLeg): Part {
  return { isBuy: side === 'buy', price: series.book.top(opposite(side)), qty: 1 };
}

function opposite(side: OpenedLeg['side']) {
  return bookSide(side === 'buy' ? 'sell' : 'buy');
}

/** Up to the first order of the combo's own account, and as long as the combo may look at more. */
export class LegCursor {
  readonly #state: State;
  readonly #combo: SoundCombo;
  readonly #leg: OpenedLeg;
  readonly #walk: FillableWalk;
  readonly #worst: number;
  #next: OrderHandle | null;
  #takenOfOrder = 0;
  /** All that was taken. */
  taken = 0;
  /** The order reached, its price, and what it may still trade. */
  h: OrderHandle;
  price = 0;
  left = 0;

  constructor(
    state: State,
    combo: SoundCombo,
    { leg, walk }: { readonly leg: OpenedLeg; readonly walk: FillableWalk },
  ) {
    this.#state = state;
    this.#combo = combo;
    this.#leg = leg;
    this.#walk = walk;
    this.#worst = worstPrice(combo, leg);
    this.#next = leg.series.book.best(opposite(leg.side));
    this.h = this.#next!;
  }

  get ratio(): number {
    return this.#leg.ratio;
  }

  /** Some micros of the order reached; without a number, those in a micro of the combo. */
  part(qty = this.#leg.ratio): Part {
    return { isBuy: this.#leg.side === 'buy', price: this.price, qty };
  }

  /** Goes to an order that has something left, if the one reached has not; false if there is none. */
  reach(): boolean {
    if (this.left > 0) return true;
    while (this.step()) if (this.left > 0) return true;
    return false;
  }

  /** Goes to the next order, which may have nothing left; false if there is none. */
  step(): boolean {
    this.leave();
    this.left = 0;
    const h = this.#next;
    if (h === null || ownerIndexOf(this.#state, h) === this.#combo.account.index) return false;
    const price = this.#state.orders.price(h);
    if (this.#leg.side === 'buy' ? price > this.#worst : price < this.#worst) return false;
    if (!this.#combo.work.spend(visitsOf(this.#state.orders.owner(h)))) return false;
    this.h = h;
    this.price = price;
    this.#next = this.#leg.series.book.next(h);
    this.left = this.#walk.fillableMicros(h);
    return true;
  }

  take(qtyMicros: number): void {
    this.left -= qtyMicros;
    this.taken += qtyMicros;
    this.#takenOfOrder += qtyMicros;
  }

  /** Takes until so much is taken in all, or nothing is left. */
  takeUpTo(qtyMicros: number): void {
    while (this.taken < qtyMicros && this.reach()) this.take(Math.min(qtyMicros - this.taken, this.left));
  }

  /** Counts what was taken of the order reached, as one fill: only after it may its set be used up. */
  leave(): void {
    if (this.#takenOfOrder > 0) this.#walk.take(this.h, this.#takenOfOrder);
    this.#takenOfOrder = 0;
  }
}
