/**
 * Reads strategies out of what an account holds (TERM-20). Positions are net and do not say which orders opened them, so
 * the lots of orders of several legs come first, whatever nets between them; the rest is recognised.
 *
 * Legs that such an order has left are recognised among themselves, then all others. Of each underlying and expiry
 * condors and butterflies are taken first, then verticals, then straddles, strangles and collars; at last calendars and
 * diagonals between expiries. Positions of equal size come before parts of larger ones, and what is nearest before what
 * is further away. The same holdings and orders always give the same strategies.
 */

import type { Position } from '@venue/protocol';
import { type ShapeKind, type SpreadPart, sideOfSpread } from '@venue/protocol/spreads';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { microsOf } from '../../../basics/micros.ts';
import { spreadName } from '../../order/core/tray/words.ts';
import type { KnownCombo } from './known-combos.ts';
import type { Lots, Rest } from './lots.ts';
import type { Cut } from './position-parts.ts';

/**
 * A part of a position that belongs to a strategy, or stands alone. Parts add up to the position: where orders met on
 * opposite sides of a contract, one may be larger than it, and another of the other side.
 */
export interface Part extends Cut {
  readonly seriesId: string;
}

export interface Strategy {
  /** The key of its contracts: the same as long as it consists of them, whatever its size. */
  readonly key: string;
  readonly name: string;
  /** Negative for a strategy that the trade calls sold. */
  readonly unitsMicros: number;
  /** By strike, puts first, then by expiry. */
  readonly legs: readonly Part[];
}

export interface Recognised {
  readonly strategies: readonly Strategy[];
  readonly singles: readonly Part[];
}

/** The members that recognition reads. Prices are left out, so a new mark does not start it again. */
export type Holding = Pick<Position, 'seriesId' | 'symbol' | 'expiryTs' | 'strike' | 'optType' | 'qty'>;

/**
 * Every contract of the positions is in one strategy or in one single, and no strategy is there twice.
 *
 * @param nowMs the time by which expiries are named
 * @param known the lots of orders of several legs
 */
export function strategiesOf(
  positions: readonly Holding[],
  nowMs: number,
  { combos, rests }: Lots = NO_LOTS,
): Recognised {
  const lots = positions
    .map((position): Lot => ({ position, leftMicros: microsOf(position.qty) }))
    .sort(byTerms);
  const taken: Taken = new Map();
  for (const combo of combos) takeLot(combo, lots, taken);
  for (const rest of rests) for (const legs of found(openOf(rest, lots))) take(legs, taken);
  for (const ofSymbol of Map.groupBy(lots, ({ position }) => position.symbol).values())
    for (const legs of found(ofSymbol)) take(legs, taken);
  return cutUp(positions, taken, nowMs);
}

const NO_LOTS: Lots = { combos: [], rests: [] };

/** A position, and how much of it no strategy has taken yet. */
interface Lot {
  readonly position: Holding;
  /** Negative for a short. */
  leftMicros: number;
  /** The lot that this one is a part of. */
  readonly whole?: Lot;
}

interface Leg {
  readonly lot: Lot;
  readonly ratio: number;
}

/** The strategies found so far, by key; units are negative where their first leg is sold. */
type Taken = Map<string, { readonly legs: readonly TakenLeg[]; readonly unitsMicros: number }>;

interface TakenLeg {
  readonly seriesId: string;
  /** Contracts of one unit, negative if it sells them. */
  readonly ratio: number;
}

/** Finds strategies one by one: each is taken out of the lots before the next is looked for. */
type Finder = (lots: readonly Lot[], isWhole: boolean) => Iterable<readonly Leg[]>;
/** Lots in the order of `byTerms`. */
type Fits = (first: Lot, second: Lot) => boolean;

/** The larger first, so that a strategy with a bounded loss is not split into parts without a bound. */
const OF_ONE_EXPIRY: readonly (readonly Finder[])[] = [
  [winged(isIronBody), winged(isBody), butterflies],
  [pairs('vertical')],
  [pairs('straddle'), pairs('strangle'), pairs('collar')],
];
const OF_TWO_EXPIRIES: readonly Finder[] = [pairs('calendar'), pairs('diagonal')];

function* found(lots: readonly Lot[]): Iterable<readonly Leg[]> {
  for (const ofExpiry of Map.groupBy(lots, ({ position }) => position.expiryTs).values())
    for (const finders of OF_ONE_EXPIRY)
      for (const isWhole of [true, false]) for (const find of finders) yield* find(ofExpiry, isWhole);
  // A far leg covers nothing at this venue, so nothing is cut up for one.
  for (const find of OF_TWO_EXPIRIES) yield* find(lots.filter(isOpen), true);
}

/** Two of a side, and for each the nearest of the other side and its right further out: condors and iron butterflies. */
function winged(fits: Fits): Finder {
  return function* (lots, isWhole) {
    for (const [low, high] of nearest(lots, fits)) {
      while (isAlike(low, high, isWhole)) {
        const isWing = (lot: Lot, body: Lot) =>
          lot.position.optType === body.position.optType &&
          isOpposite(lot, body) &&
          isAlike(lot, body, isWhole);
        const under = lots.findLast((lot) => strikeOf(lot) < strikeOf(low) && isWing(lot, low));
        const over = lots.find((lot) => strikeOf(lot) > strikeOf(high) && isWing(lot, high));
        if (under === undefined || over === undefined) break;
        yield [under, low, high, over].map((lot) => ({ lot, ratio: 1 }));
      }
    }
  };
}

function* butterflies(lots: readonly Lot[], isWhole: boolean): Iterable<readonly Leg[]> {
  for (const body of lots) {
    for (const under of lots.toReversed()) {
      const width = strikeOf(body) - strikeOf(under);
      const isWing = (lot: Lot) =>
        lot.position.optType === body.position.optType &&
        isOpposite(lot, body) &&
        (!isWhole || 2 * sizeOf(lot) === sizeOf(body));
      if (width <= 0 || !isWing(under)) continue;
      const over = lots.find((lot) => strikeOf(lot) - strikeOf(body) === width && isWing(lot));
      // A millionth of a contract has no half.
      if (over === undefined || sizeOf(body) < 2) continue;
      const middle = { lot: body, ratio: 2 } as const;
      yield [{ lot: under, ratio: 1 }, middle, { lot: over, ratio: 1 }];
    }
  }
}

function pairs(kind: ShapeKind): Finder {
  return function* (lots, isWhole) {
    const parts = new Map(lots.map((lot) => [lot, partOf(lot)]));
    const isOne: Fits = (...two) =>
      sideOfSpread(
        kind,
        two.map((lot) => parts.get(lot)!),
      ) !== null;
    for (const pair of nearest(lots, isOne))
      if (isAlike(...pair, isWhole)) yield pair.map((lot) => ({ lot, ratio: 1 }));
  };
}

/** All pairs that fit, those of the nearest expiries and strikes first. */
function nearest(lots: readonly Lot[], fits: Fits): (readonly [Lot, Lot])[] {
  const all = lots.flatMap((first, i) =>
    lots.slice(i + 1).flatMap((second) => (fits(first, second) ? [[first, second] as const] : [])),
  );
  const gap = ([{ position: a }, { position: b }]: readonly [Lot, Lot]) =>
    [Math.abs(b.expiryTs - a.expiryTs), Math.abs(b.strike - a.strike)] as const;
  return all
    .map((pair) => ({ pair, gap: gap(pair) }))
    .sort(({ gap: a }, { gap: b }) => a[0] - b[0] || a[1] - b[1])
    .map(({ pair }) => pair);
}

function isIronBody(low: Lot, high: Lot): boolean {
  return isPutUnderCall(low, high) && isOfOneSide(low, high);
}

function isBody(low: Lot, high: Lot): boolean {
  return isOfOneRight(low, high) && isOfOneSide(low, high);
}

/** One contract of it as a leg. */
function partOf({ position: { optType, strike, expiryTs }, leftMicros }: Lot): SpreadPart {
  return {
    ...{ right: optType === 'call' ? 'C' : 'P', strike, expiryTs, ratio: 1 },
    side: leftMicros > 0 ? 'buy' : 'sell',
  };
}

function isPutUnderCall({ position: low }: Lot, { position: high }: Lot): boolean {
  return low.optType === 'put' && high.optType === 'call';
}

function isOfOneRight({ position: a }: Lot, { position: b }: Lot): boolean {
  return a.optType === b.optType;
}

function isOfOneSide(a: Lot, b: Lot): boolean {
  return a.leftMicros * b.leftMicros > 0;
}

function isOpposite(a: Lot, b: Lot): boolean {
  return a.leftMicros * b.leftMicros < 0;
}

/** True if both have something left and, where only whole positions may match, the same size. */
function isAlike(a: Lot, b: Lot, isWhole: boolean): boolean {
  return isOpen(a) && isOpen(b) && (!isWhole || sizeOf(a) === sizeOf(b));
}

function isOpen({ leftMicros }: Lot): boolean {
  return leftMicros !== 0;
}

function sizeOf({ leftMicros }: Lot): number {
  return Math.abs(leftMicros);
}

function strikeOf({ position }: Lot): number {
  return position.strike;
}

function byTerms({ position: a }: Lot, { position: b }: Lot): number {
  if (a.strike !== b.strike) return a.strike - b.strike;
  if (a.optType !== b.optType) return a.optType === 'put' ? -1 : 1;
  return a.expiryTs - b.expiryTs;
}

/** Takes a combo out of the positions, all contracts of which have one. */
function takeLot({ legs, unitsMicros }: KnownCombo, lots: readonly Lot[], taken: Taken): void {
  const whole = openOf(new Map([...legs].map(([seriesId, ratio]) => [seriesId, ratio * unitsMicros])), lots);
  take(
    whole.map((lot) => ({ lot, ratio: Math.abs(legs.get(lot.position.seriesId)!) })),
    taken,
  );
}

/** The parts of positions that belong to a lot. */
function openOf(rest: Rest, lots: readonly Lot[]): Lot[] {
  return lots.flatMap((whole) => {
    const leftMicros = rest.get(whole.position.seriesId);
    return leftMicros === undefined ? [] : [{ position: whole.position, leftMicros, whole }];
  });
}

/** Takes as many units as every leg has left, and returns their number in micros. */
function take(legs: readonly Leg[], taken: Taken): number {
  const units = Math.min(...legs.map(({ lot, ratio }) => Math.floor(sizeOf(lot) / ratio)));
  if (units === 0) return 0;
  const signed = legs.map(({ lot, ratio }): TakenLeg => {
    return { seriesId: lot.position.seriesId, ratio: Math.sign(lot.leftMicros) * ratio };
  });
  legs.forEach(({ lot }, i) => {
    const qtyMicros = signed[i]!.ratio * units;
    lot.leftMicros -= qtyMicros;
    if (lot.whole !== undefined) lot.whole.leftMicros -= qtyMicros;
  });
  // Both sides of a strategy are one line: units are those of the side whose first leg is bought.
  const side = Math.sign(signed[0]!.ratio);
  const ofSide = signed.map(({ seriesId, ratio }) => ({ seriesId, ratio: side * ratio }));
  const key = ofSide.map(({ seriesId, ratio }) => `${ratio} ${seriesId}`).join(' ');
  const unitsMicros = (taken.get(key)?.unitsMicros ?? 0) + side * units;
  if (unitsMicros === 0) taken.delete(key);
  else taken.set(key, { legs: ofSide, unitsMicros });
  return units;
}

/** Cuts the positions into the parts of the strategies, in their order; the rest are singles. */
function cutUp(positions: readonly Holding[], taken: Taken, nowMs: number): Recognised {
  const left = new Map<string, number>(positions.map(({ seriesId, qty }) => [seriesId, microsOf(qty)]));
  const cut = (seriesId: string, qtyMicros: number): Part => {
    const fromMicros = left.get(seriesId)!;
    left.set(seriesId, fromMicros - qtyMicros);
    return { seriesId, fromMicros, qtyMicros };
  };
  const strategies = [...taken].map(([key, { legs, unitsMicros }]): Strategy => {
    const sign = Math.sign(unitsMicros);
    const spread = legs.map(({ seriesId, ratio }): SpreadLeg => {
      return { seriesId, side: ratio * sign > 0 ? 'buy' : 'sell', ratio: Math.abs(ratio) };
    });
    const { side, text } = spreadName(spread, nowMs);
    const parts = legs.map(({ seriesId, ratio }) => cut(seriesId, ratio * unitsMicros));
    const units = Math.abs(unitsMicros);
    return { key, name: text, unitsMicros: side === 'buy' ? units : -units, legs: parts };
  });
  const rest = [...left].filter(([, qtyMicros]) => qtyMicros !== 0);
  return { strategies, singles: rest.map(([seriesId, qtyMicros]) => cut(seriesId, qtyMicros)) };
}
