/** An account's holdings by underlying. */

import type { Position } from '@venue/protocol';

/** Sums over the positions of one underlying; dollars, contracts. */
export interface Holding {
  readonly symbol: string;
  readonly positions: number;
  /** How many of them have no quote: they are left out of all sums over marks. */
  readonly unquoted: number;
  readonly longQty: number;
  /** Zero or above. */
  readonly shortQty: number;
  /** At the marks: value of the longs less cost of the shorts. */
  readonly value: number;
  readonly unrealized: number;
  readonly realized: number;
}

/** One holding per underlying, sorted by name. Sums over marks are NaN when no position has one. */
export function holdingsBySymbol(positions: Iterable<Position>): Holding[] {
  const bySymbol = new Map<string, Holding>();
  for (const { symbol, qty, mark, unrealized, realized } of positions) {
    const sum = bySymbol.get(symbol) ?? emptyHolding(symbol);
    const isQuoted = !Number.isNaN(mark);
    bySymbol.set(symbol, {
      symbol,
      positions: sum.positions + 1,
      unquoted: sum.unquoted + (isQuoted ? 0 : 1),
      longQty: sum.longQty + Math.max(0, qty),
      shortQty: sum.shortQty + Math.max(0, -qty),
      value: sum.value + (isQuoted ? qty * mark : 0),
      unrealized: sum.unrealized + (isQuoted ? unrealized : 0),
      realized: sum.realized + realized,
    });
  }
  return [...bySymbol.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

function emptyHolding(symbol: string): Holding {
  return { symbol, positions: 0, unquoted: 0, longQty: 0, shortQty: 0, value: 0, unrealized: 0, realized: 0 };
}
