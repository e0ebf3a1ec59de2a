/** What an account holds, added up by underlying. */

import type { Position } from '@venue/protocol';

/** Sums over the positions of one underlying; dollars, contracts. */
export interface Holding {
  readonly symbol: string;
  readonly positions: number;
  /** How many of them nobody quotes: they are in none of the sums that take a mark. */
  readonly unquoted: number;
  readonly longQty: number;
  /** Zero or above. */
  readonly shortQty: number;
  /** At the marks: what longs are worth less what shorts would cost. */
  readonly value: number;
  readonly unrealized: number;
  readonly realized: number;
}

/** One line an underlying, in the order of their names. Of a position without a mark that is NaN. */
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
