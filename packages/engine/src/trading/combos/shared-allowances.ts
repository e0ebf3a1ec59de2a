/** Finds what a combo trades where its legs take from the allowance of one quote set (CMB-1, BAT-6). */

import type { OpenedLeg } from '../../entry/effects.ts';
import { FillableWalk } from '../../state/fillable-walk.ts';
import { isSetOwner } from '../../state/quote-sets.ts';
import type { State } from '../../state/state.ts';
import { searchVisits } from '../work.ts';
import type { SoundCombo } from './combo.ts';
import { isWithinNet, type Met, type Part } from './leg-cursor.ts';

interface Bound {
  /** Units that the legs do not give together. */
  readonly above: number;
  /** The orders that each leg meets when all are walked for as much: with fewer units no leg looks further. */
  readonly legs: readonly (readonly Met[])[];
}

/**
 * The largest quantity below the bound that all legs give together within the net, 0 for none. Halving finds it, as less of
 * one leg never takes anything from another. A trial looks at quotes of shared sets alone; between them the running
 * totals of everything else say where a leg ends.
 */
export function largestShared(state: State, combo: SoundCombo, { above, legs }: Bound): number {
  const isShared = sharedOwners(state, legs);
  const walked = combo.legs.map((leg, i) => new SharedLeg(state, leg, { met: legs[i]!, isShared }));
  const quotes = walked.reduce((sum, { stops }) => sum + stops.length, 0);
  if (!combo.work.spend(searchVisits(above, quotes))) return 0;
  let [low, high] = [0, above];
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (isGiven(state, combo, walked, middle)) low = middle;
    else high = middle;
  }
  return low;
}

function isGiven(state: State, combo: SoundCombo, legs: readonly SharedLeg[], units: number): boolean {
  const walk = new FillableWalk(state);
  const last: Part[] = [];
  for (const leg of legs) {
    const parts = leg.lastMicro(units, walk);
    if (parts === null) return false;
    last.push(...parts);
  }
  return isWithinNet(last, combo.netMicros);
}

/** The sets, as owners, that more than one leg meets. */
function sharedOwners({ orders }: State, legs: Bound['legs']): ReadonlySet<number> {
  const seen = new Set<number>();
  const shared = new Set<number>();
  for (const met of legs) {
    const owners = new Set(met.map(({ h }) => orders.owner(h)).filter(isSetOwner));
    for (const owner of owners) {
      if (seen.has(owner)) shared.add(owner);
      seen.add(owner);
    }
  }
  return shared;
}

/** The orders that a leg meets, with running totals. */
class SharedLeg {
  readonly #leg: OpenedLeg;
  readonly #met: readonly Met[];
  /** At each place, what is taken before it of all but quotes of shared sets. */
  readonly #totals: Float64Array;
  /** Places of the quotes of shared sets, and what the last trial took of them. */
  readonly stops: readonly number[];
  readonly #taken: Float64Array;

  constructor(
    { orders }: State,
    leg: OpenedLeg,
    { met, isShared }: { readonly met: readonly Met[]; readonly isShared: ReadonlySet<number> },
  ) {
    this.#leg = leg;
    this.#met = met;
    this.#totals = new Float64Array(met.length + 1);
    const stops: number[] = [];
    for (const [place, { h, fillable }] of met.entries()) {
      const isStop = isShared.has(orders.owner(h));
      if (isStop) stops.push(place);
      this.#totals[place + 1] = this.#totals[place]! + (isStop ? 0 : fillable);
    }
    this.stops = stops;
    this.#taken = new Float64Array(stops.length);
  }

  /** The part of the leg in the last of so many units, after the legs before it have taken theirs; null if it runs out. */
  lastMicro(units: number, walk: FillableWalk): Part[] | null {
    const needed = units * this.#leg.ratio;
    let ofShared = 0;
    let passed = 0;
    for (const [at, place] of this.stops.entries()) {
      const left = needed - this.#totals[place]! - ofShared;
      if (left <= 0) break;
      const { h } = this.#met[place]!;
      const qty = Math.min(left, walk.fillableMicros(h));
      walk.take(h, qty);
      this.#taken[at] = qty;
      ofShared += qty;
      passed = at + 1;
    }
    return this.#endingAt(needed, { ofShared, passed });
  }

  /** From the place where the leg has what it needs, backwards. */
  #endingAt(needed: number, { ofShared, passed }: { ofShared: number; passed: number }): Part[] | null {
    const totals = this.#totals;
    const ofOthers = needed - ofShared;
    if (ofOthers > totals.at(-1)!) return null;
    const parts: Part[] = [];
    let place = Math.max(this.#firstWith(ofOthers) - 1, this.stops[passed - 1] ?? -1);
    let [stop, counted] = [passed - 1, ofOthers];
    for (let left = this.#leg.ratio; left > 0; place--) {
      const isStop = this.stops[stop] === place;
      const there = isStop ? this.#taken[stop]! : counted - totals[place]!;
      if (isStop) stop -= 1;
      else counted = totals[place]!;
      const qty = Math.min(left, there);
      if (qty > 0) parts.push({ isBuy: this.#leg.side === 'buy', price: this.#met[place]!.price, qty });
      left -= qty;
    }
    return parts;
  }

  /** How many places from the front give so much besides shared sets. */
  #firstWith(wanted: number): number {
    let [low, high] = [0, this.#met.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#totals[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
