/** The requirement of one group in defined-risk margin: the smaller of rules A and B (DRM-1, DRM-2, DET-7). */

import { ExactSum, MICROS_MAX, type Micros, ProductSum, ZERO } from '../units.ts';
import { addCheapestCover } from './covers.ts';
import { greatestLoss } from './greatest-loss.ts';
import type { Legs } from './legs.ts';

/** The rule whose amount is in force; none for a group without a short. */
export type GroupRule = 'A' | 'B' | 'none';

const byCover = new ProductSum();
const ofOne = new ProductSum();

/**
 * The margin of a group at entry level: rounded up once, plus a micro for every series of it, as settlement rounds each
 * by up to one; never more than its shorts need one by one.
 */
export function requirementMicros(legs: Legs): Micros {
  if (!hasShort(legs)) return ZERO;
  if (standAlone(legs)) return singlyMicros(legs);
  const required = new ExactSum().add(smaller(legs).sum.ceil()).add(heldCount(legs));
  return Math.min(required.clamped(), singlyMicros(legs)) as Micros;
}

/**
 * The same at maintenance level, with the marks of what is covered added: it may be below zero, and leave the exact range
 * where marks are absurd. Without the micros of the series: equity is rounded down by as many, and they cover that.
 */
export function maintenanceOf(legs: Legs): number | bigint {
  if (!hasShort(legs)) return 0;
  return standAlone(legs) ? unitsOf(legs).ceil() : smaller(legs).sum.ceil();
}

/** True for shorts alone that rule B does not help: most groups, which need no search. */
function standAlone({ size, calls, qtys, strikes, units, marks }: Legs): boolean {
  let hasCall = false;
  let isHelpless = true;
  for (let at = 0; at < size; at++) {
    const qty = qtys[at]!;
    if (qty > 0) return false;
    if (qty === 0) continue;
    if (at < calls) hasCall = true;
    // At a price of 0 every put pays its strike, which is the most that the group pays.
    else if (units[at]! + marks[at]! > strikes[at]!) isHelpless = false;
  }
  return hasCall || isHelpless;
}

function unitsOf({ qtys, units, size }: Legs): ProductSum {
  const sum = byCover.clear();
  for (let at = 0; at < size; at++) if (qtys[at]! < 0) sum.add(-qtys[at]!, units[at]!);
  return sum;
}

/** The rule that requires less, and its amount before rounding; A where both require the same. */
export function smaller(legs: Legs): { readonly rule: GroupRule; readonly sum: ProductSum } {
  addCheapestCover(legs, byCover.clear());
  const loss = greatestLoss(legs);
  if (loss === null) return { rule: 'A', sum: byCover };
  const whole = loss.sum;
  for (let at = 0; at < legs.size; at++) if (legs.marks[at] !== 0) whole.add(legs.qtys[at]!, legs.marks[at]!);
  return whole.isBelow(byCover) ? { rule: 'B', sum: whole } : { rule: 'A', sum: byCover };
}

export function hasShort({ qtys, size }: Legs): boolean {
  for (let at = 0; at < size; at++) if (qtys[at]! < 0) return true;
  return false;
}

/** The series that are held, or would be. */
function heldCount({ qtys, size }: Legs): number {
  let count = 0;
  for (let at = 0; at < size; at++) if (qtys[at] !== 0) count += 1;
  return count;
}

/** The margin of the shorts if no long covers any, as in the contract. */
export function singlyMicros({ qtys, units, size }: Legs): Micros {
  const sum = new ExactSum();
  for (let at = 0; at < size; at++) {
    if (qtys[at]! >= 0) continue;
    const margin = ofOne.clear().add(-qtys[at]!, units[at]!).ceil();
    sum.add(typeof margin === 'number' ? margin : MICROS_MAX);
  }
  return sum.clamped();
}
