/**
 * Rule A of DRM-1: the cheapest way to let longs cover shorts of their own right, contract by contract.
 *
 * The strikes of one right are walked in the direction in which waiting for a long costs money: up for calls, down for
 * puts. What waits is a carry: above zero shorts that wait for a long, below zero longs to spare. The least cost of a
 * carry is a convex function of it, kept as pieces in order of their slope; a short or a long adds one piece, and the
 * way to the next strike makes the pieces above zero dearer. The pieces below a carry of zero are the answer: shorts
 * among them are covered, longs among them are not needed.
 */

import type { ProductSum } from '../units.ts';
import type { Legs } from './legs.ts';

const CAPACITY_MIN = 64;
/** Slopes are sums of a unit, a mark and distances, each a safe integer: two doubles hold them exactly. */
const LOW_SPAN = 2 ** 27;

/** A quantity of a short that a long covers, and what one contract of the pair needs before marks are added. */
export interface Pair {
  /** Places in the legs. */
  readonly short: number;
  readonly long: number;
  readonly qtyMicros: number;
  readonly eachMicros: number;
}

/** The pieces by number: how much, and at which slope. One set for the whole engine, as no call needs another's. */
let sizes = new Float64Array(CAPACITY_MIN);
let highs = new Float64Array(CAPACITY_MIN);
let lows = new Float64Array(CAPACITY_MIN);
let owners = new Int32Array(CAPACITY_MIN);
/** Their numbers in order of slope, those below a carry of zero first. */
let order = new Int32Array(CAPACITY_MIN);
let count = 0;
/** The number of pieces below a carry of zero. */
let below = 0;
/** The way walked so far: pieces above zero are dearer by it, and are kept without it. */
let wayHigh = 0;
let wayLow = 0;

/** By leg: how much of a short is covered, and how much of a long covers. */
let covered = new Float64Array(CAPACITY_MIN);

/** Adds what the cheapest cover requires, both rights, to a sum. */
export function addCheapestCover(legs: Legs, sum: ProductSum): void {
  coverAll(legs);
  for (let at = 0; at < legs.size; at++) {
    const qty = legs.qtys[at]!;
    if (qty < 0) {
      if (-qty !== covered[at]) sum.add(-qty - covered[at]!, legs.units[at]!);
      if (legs.marks[at] !== 0) sum.add(-covered[at]!, legs.marks[at]!);
    } else if (legs.marks[at] !== 0) {
      sum.add(covered[at]!, legs.marks[at]!);
    }
  }
  pairUp(legs, (_short, _long, qty, each) => sum.add(qty, each));
}

/** The pairs of the cheapest cover, and what is left of each short by its place. */
export function cheapestCover(legs: Legs): { pairs: Pair[]; uncovered: number[] } {
  coverAll(legs);
  const uncovered = Array.from(legs.qtys.subarray(0, legs.size), (qty, at) =>
    qty < 0 ? -qty - covered[at]! : 0,
  );
  const pairs: Pair[] = [];
  pairUp(legs, (short, long, qtyMicros, eachMicros) => pairs.push({ short, long, qtyMicros, eachMicros }));
  return { pairs, uncovered };
}

function coverAll(legs: Legs): void {
  if (covered.length < legs.size) covered = new Float64Array(legs.size * 2);
  cover(legs, 0, legs.calls, 1);
  cover(legs, legs.size - 1, legs.calls - 1, -1);
}

/** Covers one right; `step` is the direction in which strikes are walked. */
function cover(legs: Legs, first: number, end: number, step: 1 | -1): void {
  const { strikes, qtys, units, marks } = legs;
  count = 0;
  below = 0;
  wayHigh = 0;
  wayLow = 0;
  for (let at = first; at !== end; at += step) {
    covered[at] = 0;
    const qty = qtys[at]!;
    if (qty === 0) continue;
    const way = Math.abs(strikes[at]! - strikes[first]!);
    wayHigh = Math.floor(way / LOW_SPAN);
    wayLow = way - wayHigh * LOW_SPAN;
    if (qty < 0) addShort(legs, at, -qty, units[at]!, marks[at]!);
    else addLong(legs, at, qty, marks[at]!);
  }
  for (let i = 0; i < count; i++) {
    const piece = order[i]!;
    const owner = owners[piece]!;
    if (qtys[owner]! < 0 === i < below) covered[owner]! += sizes[piece]!;
  }
}

/** A short may join those that wait, which saves its unit and counts its mark. */
function addShort(legs: Legs, at: number, qty: number, unit: number, mark: number): void {
  const place = insert(legs, at, qty, unit, mark);
  if (place < below) {
    below += 1;
    lower(qty);
  } else {
    shorten(order[place]!);
  }
}

/** A long may take one that waits, or be kept for a later one; used, it counts its mark. */
function addLong(legs: Legs, at: number, qty: number, mark: number): void {
  const place = insert(legs, at, qty, 0, mark);
  if (place <= below) {
    below += 1;
  } else {
    shorten(order[place]!);
    lift(qty);
  }
}

/** Moves a quantity of the most expensive pieces below zero above it. */
function lower(qty: number): void {
  let left = qty;
  while (left > 0) {
    const piece = order[below - 1]!;
    if (sizes[piece]! > left) {
      split(below - 1, sizes[piece]! - left);
      shorten(piece);
      return;
    }
    left -= sizes[piece]!;
    below -= 1;
    shorten(piece);
  }
}

/** Moves a quantity of the cheapest pieces above zero below it. */
function lift(qty: number): void {
  let left = qty;
  while (left > 0) {
    const piece = order[below]!;
    if (sizes[piece]! > left) lengthen(split(below, left));
    else lengthen(piece);
    left -= sizes[order[below]!]!;
    below += 1;
  }
}

/** Takes the way off a piece that comes to be above zero. */
function shorten(piece: number): void {
  const low = lows[piece]! - wayLow;
  lows[piece] = low < 0 ? low + LOW_SPAN : low;
  highs[piece]! -= low < 0 ? wayHigh + 1 : wayHigh;
}

/** Adds the way to a piece that comes to be below zero. */
function lengthen(piece: number): void {
  const low = lows[piece]! + wayLow;
  lows[piece] = low >= LOW_SPAN ? low - LOW_SPAN : low;
  highs[piece]! += low >= LOW_SPAN ? wayHigh + 1 : wayHigh;
}

/** Cuts a piece in two, the first of a given size; returns that, which is the new one. */
function split(place: number, size: number): number {
  const rest = order[place]!;
  const piece = newPiece(place);
  sizes[piece] = size;
  sizes[rest]! -= size;
  highs[piece] = highs[rest]!;
  lows[piece] = lows[rest]!;
  owners[piece] = owners[rest]!;
  return piece;
}

/** Inserts a piece with the slope -(unit + mark) in its place, the way included, and returns that. */
function insert({ qtys }: Legs, owner: number, size: number, unit: number, mark: number): number {
  const unitHigh = Math.floor(unit / LOW_SPAN);
  const markHigh = Math.floor(mark / LOW_SPAN);
  const down = unit - unitHigh * LOW_SPAN + (mark - markHigh * LOW_SPAN);
  // Negated and brought back into the span of the lower half.
  const borrow = Math.ceil(down / LOW_SPAN);
  const low = borrow * LOW_SPAN - down;
  const high = -(unitHigh + markHigh) - borrow;
  const isShort = qtys[owner]! < 0;
  // The same without the way, for comparison with the pieces above zero.
  const isCut = low < wayLow;
  const cutLow = isCut ? low - wayLow + LOW_SPAN : low - wayLow;
  const cutHigh = high - wayHigh - (isCut ? 1 : 0);
  let place = 0;
  while (place < below && !isBefore(qtys, isShort, owner, high, low, order[place]!)) place += 1;
  if (place === below)
    while (place < count && !isBefore(qtys, isShort, owner, cutHigh, cutLow, order[place]!)) place += 1;
  const piece = newPiece(place);
  sizes[piece] = size;
  highs[piece] = high;
  lows[piece] = low;
  owners[piece] = owner;
  return place;
}

/** True if a piece of that slope goes before another. */
function isBefore(
  qtys: Float64Array,
  isShort: boolean,
  owner: number,
  high: number,
  low: number,
  other: number,
): boolean {
  if (high !== highs[other]!) return high < highs[other]!;
  if (low !== lows[other]!) return low < lows[other]!;
  return goesFirst(qtys, isShort, owner, owners[other]!);
}

/** Prefers, among equal covers, the one of the lowest strikes: first by its shorts and then by its longs. */
function goesFirst(qtys: Float64Array, isShort: boolean, owner: number, other: number): boolean {
  if (qtys[other]! < 0) return isShort && owner < other;
  return isShort || owner > other;
}

/** Makes room for a piece in that place, and returns its number. */
function newPiece(place: number): number {
  if (count === order.length) grow();
  // A loop, as moving so few by `copyWithin` takes several times as long.
  for (let k = count; k > place; k--) order[k] = order[k - 1]!;
  order[place] = count;
  count += 1;
  return count - 1;
}

function grow(): void {
  const larger = <T extends Float64Array | Int32Array>(column: T, copy: T): T => {
    copy.set(column);
    return copy;
  };
  const length = order.length * 2;
  sizes = larger(sizes, new Float64Array(length));
  highs = larger(highs, new Float64Array(length));
  lows = larger(lows, new Float64Array(length));
  owners = larger(owners, new Int32Array(length));
  order = larger(order, new Int32Array(length));
}

/** Names the pairs: each contract with the nearest that is left. What all of them cost together does not depend on it. */
function pairUp(
  legs: Legs,
  pair: (short: number, long: number, qtyMicros: number, eachMicros: number) => void,
): void {
  pairRight(legs, 0, legs.calls, 1, pair);
  pairRight(legs, legs.size - 1, legs.calls - 1, -1, pair);
}

/** Legs that wait to be paired, all of one side. */
const waiting: number[] = [];
const left: number[] = [];

function pairRight(
  { strikes, qtys }: Legs,
  first: number,
  end: number,
  step: 1 | -1,
  pair: Parameters<typeof pairUp>[1],
): void {
  waiting.length = 0;
  left.length = 0;
  for (let at = first; at !== end; at += step) {
    let qty = covered[at]!;
    const isShort = qtys[at]! < 0;
    while (qty > 0 && waiting.length > 0) {
      const other = waiting.at(-1)!;
      if (qtys[other]! < 0 === isShort) break;
      const matched = Math.min(qty, left.at(-1)!);
      qty -= matched;
      left[left.length - 1]! -= matched;
      if (left.at(-1) === 0) {
        waiting.pop();
        left.pop();
      }
      // A short that waited pays the way to its long; a long that waited costs nothing.
      if (isShort) pair(at, other, matched, 0);
      else pair(other, at, matched, Math.abs(strikes[at]! - strikes[other]!));
    }
    if (qty > 0) {
      waiting.push(at);
      left.push(qty);
    }
  }
}
