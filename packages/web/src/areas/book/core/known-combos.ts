/**
 * Orders that an account has traded, and the strategies among them (TERM-20). Those are netted by shape, so that the order
 * that closes a strategy undoes the one that opened it, and a roll both closes and opens.
 */

import { parseSeriesId } from '@venue/protocol';
import type { TradedOrder } from '../../../session/state.ts';

export interface KnownCombo {
  /** Contracts of one unit, negative for a short. */
  readonly legs: ReadonlyMap<string, number>;
  readonly unitsMicros: number;
}

/** Those that traded of the orders that the venue answers. */
export function tradedOrders(orders: readonly TradedOrder[]): TradedOrder[] {
  return orders.filter(({ filledQty }) => filledQty > 0);
}

/** The most that are kept. */
const KEPT = 1_000;

/** Both newest first. The same array if all were known. */
export function withTraded(
  known: readonly TradedOrder[],
  read: readonly TradedOrder[],
): readonly TradedOrder[] {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = read.filter(({ id }) => !ids.has(id));
  return fresh.length === 0 ? known : [...fresh, ...known].sort((a, b) => b.id - a.id).slice(0, KEPT);
}

/** One leg of a traded order: its contract and the quantity bought, in micros; negative if sold. */
export type Bought = readonly [seriesId: string, qtyMicros: number];
type Open = Map<string, KnownCombo>;

/** Splits a roll into the strategy that it closes and the one that it opens; any other order is one part. */
export function partsOf(
  bought: readonly Bought[],
  open: ReadonlyMap<string, KnownCombo>,
): readonly (readonly Bought[])[] {
  const parts = [...Map.groupBy(bought, ([seriesId]) => parseSeriesId(seriesId)?.expiryTs).values()];
  const isKnown = open.has(keyOf(shapeOf(bought)));
  const closesOne = parts.some((part) => {
    const shape = shapeOf(part);
    return shape.unitsMicros * (open.get(keyOf(shape))?.unitsMicros ?? 0) < 0;
  });
  return !isKnown && closesOne ? parts : [bought];
}

/** Adds an order's strategy to those of its shape. */
export function addTo(open: Open, bought: readonly Bought[]): void {
  const shape = shapeOf(bought);
  const key = keyOf(shape);
  const unitsMicros = (open.get(key)?.unitsMicros ?? 0) + shape.unitsMicros;
  if (unitsMicros === 0) open.delete(key);
  else open.set(key, { ...shape, unitsMicros });
}

/** The same for both sides of a strategy: units are negative where the first contract by name is sold. */
export function shapeOf(bought: readonly Bought[]): KnownCombo {
  const sorted = bought.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const unitsMicros =
    sorted.reduce((unit, [, qty]) => commonOf(unit, Math.abs(qty)), 0) * Math.sign(sorted[0]![1]);
  return { legs: new Map(sorted.map(([seriesId, qty]) => [seriesId, qty / unitsMicros])), unitsMicros };
}

export function keyOf({ legs }: Pick<KnownCombo, 'legs'>): string {
  return [...legs].join(' ');
}

function commonOf(a: number, b: number): number {
  return b === 0 ? a : commonOf(b, a % b);
}
