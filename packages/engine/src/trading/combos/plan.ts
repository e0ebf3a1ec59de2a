/** Plans a combo: the quantity that trades, and the resting orders that it takes (CMB-1). */

import { MICROS_MAX, toMicros } from '@venue/protocol';
import type { OrderHandle } from '../../book/book.ts';
import type { OpenedLeg } from '../../entry/effects.ts';
import { FillableWalk } from '../../state/fillable-walk.ts';
import type { State } from '../../state/state.ts';
import { bookSide, ownerIndexOf } from '../resting.ts';
import type { ComboPlan, LegPlan, SoundCombo, Take } from './combo.ts';

/**
 * The largest quantity up to the asked one whose last micro costs at most the net, with the orders that it takes; null
 * for none. Each leg alone gives an upper bound; where legs share the allowance of a quote set and so do not all get
 * what they would alone, halving finds the largest quantity below.
 */
export function planCombo(state: State, combo: SoundCombo): ComboPlan | null {
  const most = unitsAlone(state, combo);
  if (most === 0) return null;
  const whole = planOf(state, combo, most);
  return whole ?? planBelow(state, combo, most);
}

function planBelow(state: State, combo: SoundCombo, above: number): ComboPlan | null {
  let found: ComboPlan | null = null;
  let [low, high] = [0, above];
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    const plan = planOf(state, combo, middle);
    if (plan === null) high = middle;
    else {
      found = plan;
      low = middle;
    }
  }
  return found;
}

/** The units that every leg gives if the others take nothing of its sets, level by level in the micros of all legs. */
function unitsAlone(state: State, combo: SoundCombo): number {
  const { legs, qtyMicros, netMicros } = combo;
  const cursors = legs.map((leg) => new LegCursor(state, combo, { leg, walk: new FillableWalk(state) }));
  let units = 0;
  while (units < qtyMicros && cursors.every((cursor) => cursor.reach())) {
    const whole = cursors.reduce(
      (least, { left, ratio }) => Math.min(least, Math.floor(left / ratio)),
      qtyMicros - units,
    );
    // Where a leg has less than a micro's part left at its price, that micro is pieced together by itself.
    const step = Math.max(whole, 1);
    const parts = whole > 0 ? cursors.map((cursor) => cursor.part()) : microOf(cursors);
    if (parts === null || !isWithinNet(parts, netMicros)) break;
    if (whole > 0) for (const cursor of cursors) cursor.take(whole * cursor.ratio);
    units += step;
  }
  return units;
}

/** Takes one micro of the combo, whatever it costs; null if a leg runs out. */
function microOf(cursors: readonly LegCursor[]): Part[] | null {
  const parts: Part[] = [];
  for (const cursor of cursors) {
    for (let left = cursor.ratio; left > 0; ) {
      if (!cursor.reach()) return null;
      const qty = Math.min(left, cursor.left);
      parts.push(cursor.part(qty));
      cursor.take(qty);
      left -= qty;
    }
  }
  return parts;
}

/** Leg by leg, as they will trade; null if not all of it does, or if its last micro costs more than the net. */
function planOf(state: State, combo: SoundCombo, units: number): ComboPlan | null {
  const walk = new FillableWalk(state);
  const legs: LegPlan[] = [];
  const last: Part[] = [];
  for (const leg of combo.legs) {
    const takes = takesOf(new LegCursor(state, combo, { leg, walk }), units * leg.ratio);
    if (takes === null) return null;
    legs.push({ leg, takes });
    last.push(...lastMicroOf(leg, takes));
  }
  if (!isWithinNet(last, combo.netMicros)) return null;
  return { qtyMicros: toMicros(units), legs, sets: walk.sets };
}

function takesOf(cursor: LegCursor, qtyMicros: number): Take[] | null {
  const takes: Take[] = [];
  for (let left = qtyMicros; left > 0; ) {
    if (!cursor.reach()) return null;
    const qty = Math.min(left, cursor.left);
    takes.push({ h: cursor.h, priceMicros: toMicros(cursor.price), qtyMicros: toMicros(qty) });
    cursor.take(qty);
    left -= qty;
  }
  cursor.leave();
  return takes;
}

/** The part of a leg in the last micro of a combo: the worst of what it takes. */
function lastMicroOf({ side, ratio }: OpenedLeg, takes: readonly Take[]): Part[] {
  const parts: Part[] = [];
  let left = ratio;
  for (let at = takes.length - 1; left > 0; at--) {
    const { priceMicros: price, qtyMicros } = takes[at]!;
    const qty = Math.min(left, qtyMicros);
    parts.push({ isBuy: side === 'buy', price, qty });
    left -= qty;
  }
  return parts;
}

/** Some micros of a leg at one price. */
interface Part {
  readonly isBuy: boolean;
  readonly price: number;
  readonly qty: number;
}

/** True if a micro of a combo that consists of these parts costs at most the net (DET-6). */
function isWithinNet(parts: readonly Part[], netMicros: number | null): boolean {
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

/** A walk along the opposite side of a leg's book, up to the first order of the combo's own account (CMB-1). */
class LegCursor {
  readonly #state: State;
  readonly #owner: number;
  readonly #leg: OpenedLeg;
  readonly #walk: FillableWalk;
  #next: OrderHandle | null;
  #taken = 0;
  /** The order reached, its price, and what it may still trade. */
  h: OrderHandle;
  price = 0;
  left = 0;

  constructor(
    state: State,
    { account }: SoundCombo,
    { leg, walk }: { readonly leg: OpenedLeg; readonly walk: FillableWalk },
  ) {
    this.#state = state;
    this.#owner = account.index;
    this.#leg = leg;
    this.#walk = walk;
    this.#next = leg.series.book.best(bookSide(leg.side === 'buy' ? 'sell' : 'buy'));
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
    this.leave();
    while (this.#next !== null && ownerIndexOf(this.#state, this.#next) !== this.#owner) {
      this.h = this.#next;
      this.#next = this.#leg.series.book.next(this.h);
      this.left = this.#walk.fillableMicros(this.h);
      if (this.left === 0) continue;
      this.price = this.#state.orders.price(this.h);
      return true;
    }
    return false;
  }

  take(qtyMicros: number): void {
    this.left -= qtyMicros;
    this.#taken += qtyMicros;
  }

  /** Counts what was taken of the order reached, as one fill: only after it may its set be used up. */
  leave(): void {
    if (this.#taken > 0) this.#walk.take(this.h, this.#taken);
    this.#taken = 0;
  }
}
