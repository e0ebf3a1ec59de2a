/**
 * Strategies that an account traded as one order and has not traded back as one (TERM-20). They are netted by shape, so
 * that the order that closes a strategy undoes the one that opened it, and a roll both closes and opens.
 */

import { type ComboRecord, parseSeriesId } from '@venue/protocol';
import { microsOf } from '../micros.ts';

export type TradedCombo = Pick<ComboRecord, 'id' | 'legs' | 'filledQty'>;

export interface KnownCombo {
  /** Contracts of one unit, negative for a short. */
  readonly legs: ReadonlyMap<string, number>;
  readonly unitsMicros: number;
}

/** Picks the combos that traded out of the orders that the venue answers. */
export function tradedCombos(orders: readonly (TradedCombo | { readonly id: number })[]): TradedCombo[] {
  return orders.filter((order): order is TradedCombo => 'legs' in order && order.filledQty > 0);
}

/** The most that are kept. */
const KEPT = 200;

/** Both newest first. The same array where there is none that was not known. */
export function withTraded(
  known: readonly TradedCombo[],
  read: readonly TradedCombo[],
): readonly TradedCombo[] {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = read.filter(({ id }) => !ids.has(id));
  return fresh.length === 0 ? known : [...fresh, ...known].sort((a, b) => b.id - a.id).slice(0, KEPT);
}

/** Nets the combos that were traded, and returns those still open, the last opened first. */
export function knownCombos(traded: readonly TradedCombo[]): KnownCombo[] {
  const open: Open = new Map();
  for (const { legs, filledQty } of traded.toSorted((a, b) => a.id - b.id)) {
    const unitMicros = microsOf(filledQty);
    const bought = legs.map(
      ({ seriesId, side, ratio }): Bought => [seriesId, (side === 'buy' ? ratio : -ratio) * unitMicros],
    );
    for (const part of partsOf(bought, open)) add(part, open);
  }
  return [...open.values()].reverse();
}

/** One leg of a traded order: its contract and the quantity bought, in micros; negative if sold. */
type Bought = readonly [seriesId: string, qtyMicros: number];
type Open = Map<string, KnownCombo>;

/** Splits a roll into the strategy that it closes and the one that it opens; any other order is one part. */
function partsOf(bought: readonly Bought[], open: Open): readonly (readonly Bought[])[] {
  const parts = [...Map.groupBy(bought, ([seriesId]) => parseSeriesId(seriesId)?.expiryTs).values()];
  const isKnown = open.has(keyOf(shapeOf(bought)));
  const closesOne = parts.some((part) => {
    const shape = shapeOf(part);
    return shape.unitsMicros * (open.get(keyOf(shape))?.unitsMicros ?? 0) < 0;
  });
  return !isKnown && closesOne ? parts.filter(({ length }) => length > 1) : [bought];
}

function add(bought: readonly Bought[], open: Open): void {
  const shape = shapeOf(bought);
  const key = keyOf(shape);
  const unitsMicros = (open.get(key)?.unitsMicros ?? 0) + shape.unitsMicros;
  if (unitsMicros === 0) open.delete(key);
  else open.set(key, { ...shape, unitsMicros });
}

/** The same for both sides of a strategy: units are negative where the first contract by name is sold. */
function shapeOf(bought: readonly Bought[]): KnownCombo {
  const sorted = bought.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const unitsMicros =
    sorted.reduce((unit, [, qty]) => commonOf(unit, Math.abs(qty)), 0) * Math.sign(sorted[0]![1]);
  return { legs: new Map(sorted.map(([seriesId, qty]) => [seriesId, qty / unitsMicros])), unitsMicros };
}

function keyOf({ legs }: KnownCombo): string {
  return [...legs].join(' ');
}

function commonOf(a: number, b: number): number {
  return b === 0 ? a : commonOf(b, a % b);
}
