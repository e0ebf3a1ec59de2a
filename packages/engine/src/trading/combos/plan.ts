/** Plans a combo: the quantity that trades, and the resting orders that it takes (CMB-1). */

import { toMicros } from '@venue/protocol';
import { FillableWalk } from '../../state/fillable-walk.ts';
import type { State } from '../../state/state.ts';
import type { ComboPlan, LegPlan, SoundCombo } from './combo.ts';
import { isWithinNet, LegCursor, type Met, type Part } from './leg-cursor.ts';
import { largestShared } from './shared-allowances.ts';

/**
 * The largest quantity up to the asked one whose last micro costs at most the net, with the orders that it takes; null
 * for none, and where the combo's work is spent before it is found. Each leg alone gives an upper bound; only where legs
 * share the allowance of a quote set, and so do not all get what they would alone, it lies below.
 */
export function planCombo(state: State, combo: SoundCombo): ComboPlan | null {
  const most = unitsAlone(state, combo);
  if (most === 0 || combo.work.isSpent) return null;
  const walked = walkTogether(state, combo, most);
  const whole = planOf(combo, most, walked);
  if (whole !== null || combo.work.isSpent) return whole;
  const units = largestShared(state, combo, { above: most, legs: walked.legs });
  return units === 0 ? null : planOf(combo, units, walkTogether(state, combo, units));
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
  // Every leg looks as far as for the next micro, whichever of them ends the walk, so that visits are a matter of the
  // books alone.
  const next = Math.min(units + 1, qtyMicros);
  for (const cursor of cursors) cursor.takeUpTo(next * cursor.ratio);
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

interface Walked {
  readonly walk: FillableWalk;
  /** Leg by leg; one that runs out has less than it needs. */
  readonly legs: readonly (readonly Met[])[];
}

/** Leg after leg, as they trade. */
function walkTogether(state: State, combo: SoundCombo, units: number): Walked {
  const walk = new FillableWalk(state);
  const legs = combo.legs.map((leg) => {
    const cursor = new LegCursor(state, combo, { leg, walk });
    const needed = units * leg.ratio;
    const met: Met[] = [];
    while (cursor.taken < needed && cursor.step()) {
      const { h, price, left } = cursor;
      const taken = Math.min(needed - cursor.taken, left);
      met.push({ h, price, fillable: left, taken });
      cursor.take(taken);
    }
    cursor.leave();
    return met;
  });
  return { walk, legs };
}

/** Null if a leg runs out, or if the last micro costs more than the net. */
function planOf(combo: SoundCombo, units: number, { walk, legs }: Walked): ComboPlan | null {
  const plans: LegPlan[] = [];
  const last: Part[] = [];
  for (const [i, leg] of combo.legs.entries()) {
    const takes = legs[i]!.flatMap(({ h, price, taken }) =>
      taken === 0 ? [] : { h, priceMicros: toMicros(price), qtyMicros: toMicros(taken) },
    );
    if (takes.reduce((sum, { qtyMicros }) => sum + qtyMicros, 0) < units * leg.ratio) return null;
    plans.push({ leg, takes });
    last.push(...lastMicroOf(leg, takes));
  }
  if (!isWithinNet(last, combo.netMicros)) return null;
  return { qtyMicros: toMicros(units), legs: plans, sets: walk.sets, leaving: walk.leaving };
}

/** The part of a leg in the last micro of a combo: the worst of what it takes. */
function lastMicroOf({ side, ratio }: LegPlan['leg'], takes: LegPlan['takes']): Part[] {
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
