/** Compares one side of a row with the maker's resting orders: which levels to keep, pull and place (MM-3). */

import type { MicrosLevel } from '@venue/protocol';
import type { OrderHandle, OrderStore } from '../book/book.ts';
import type { Side } from '../state/series.ts';

/** True if a side's resting orders are exactly the wanted levels. Both are best first; null wants no change. */
export function isLadderStanding(
  orders: OrderStore,
  ids: readonly number[],
  wanted: readonly MicrosLevel[] | null,
): boolean {
  if (wanted === null) return true;
  let k = 0;
  for (let i = 0; i < ids.length; i++) {
    const h = orders.find(ids[i]!);
    if (h === null) continue;
    const level = wanted[k++];
    if (level === undefined || orders.price(h) !== level[0] || orders.remaining(h) !== level[1]) return false;
  }
  return k === wanted.length;
}

/** The side's levels as they rest now. */
export function standingLevels(orders: OrderStore, ids: readonly number[]): MicrosLevel[] {
  const levels: MicrosLevel[] = [];
  for (const id of ids) {
    const h = orders.find(id);
    if (h !== null) levels.push([orders.price(h), orders.remaining(h)]);
  }
  return levels;
}

/** The changes a row makes to both sides. */
export interface RowPlan {
  readonly bids: SidePlan;
  readonly asks: SidePlan;
}

/**
 * The changes a row makes to one side. One object is reused for all rows of a push, because there are thousands of
 * them.
 */
export class SidePlan {
  readonly side: Side;
  /** The new ladder, best first. */
  levels: readonly MicrosLevel[] = [];
  /** For each level, the resting order that already matches it, or null. */
  readonly kept: (OrderHandle | null)[] = [];
  /** Orders to pull, best first. */
  readonly pulled: OrderHandle[] = [];
  pulledCount = 0;
  /** Number of levels that are new or change quantity. */
  placedCount = 0;
  /** Total quantity of the new ladder, and of the current one. */
  wantedMicros = 0;
  standingMicros = 0;

  constructor(side: Side) {
    this.side = side;
  }

  get changes(): boolean {
    return this.placedCount > 0 || this.pulledCount > 0;
  }

  /** The best price of the new ladder. */
  get bestPrice(): number | null {
    return this.levels[0]?.[0] ?? null;
  }

  /** Compares a valid side of a row with the orders of the maker's ladder; null keeps the current one. */
  read(orders: OrderStore, ids: readonly number[], wanted: readonly MicrosLevel[] | null): void {
    const levels = wanted ?? standingLevels(orders, ids);
    this.levels = levels;
    this.wantedMicros = 0;
    for (let k = 0; k < levels.length; k++) {
      this.wantedMicros += levels[k]![1];
      this.kept[k] = null;
    }
    this.#compare(orders, ids);
  }

  /** Both are best first, so one pass over the two finds what they have in common. */
  #compare(orders: OrderStore, ids: readonly number[]): void {
    const { levels, kept, pulled } = this;
    const sign = this.side === 'buy' ? 1 : -1;
    let standing = 0;
    let keptCount = 0;
    let pulledCount = 0;
    let k = 0;
    for (let i = 0; i < ids.length; i++) {
      const h = orders.find(ids[i]!);
      if (h === null) continue;
      const price = orders.price(h);
      const remaining = orders.remaining(h);
      standing += remaining;
      while (k < levels.length && sign * levels[k]![0] > sign * price) k += 1;
      if (k < levels.length && levels[k]![0] === price && levels[k]![1] === remaining) {
        kept[k] = h;
        keptCount += 1;
      } else pulled[pulledCount++] = h;
    }
    this.standingMicros = standing;
    this.pulledCount = pulledCount;
    this.placedCount = levels.length - keptCount;
  }
}
