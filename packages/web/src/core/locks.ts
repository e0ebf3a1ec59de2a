/** The lines that make up an account's locked cash; they add up to `locked` in the margin report. */

import type { MarginReport } from '@venue/protocol';

export interface Lock {
  readonly key: string;
  readonly seriesId: string;
  readonly kind: 'short' | 'resting-sell' | 'resting-buy';
  /** Contracts margined or reserved. */
  readonly qty: number;
  /** Dollars per contract: margin of a short, limit price of a buy. */
  readonly unit: number;
  readonly amount: number;
}

/**
 * One line for each series that is short, or would be if its resting sells filled, and one for each resting buy;
 * largest first.
 */
export function locksOf({ series, orders }: MarginReport): Lock[] {
  const shorts = series.map(({ seriesId, qty, entry }): Lock => {
    const kind = qty < 0 ? 'short' : 'resting-sell';
    return { key: seriesId, seriesId, kind, qty: entry.qty, unit: entry.unit, amount: entry.amount };
  });
  const buys = orders
    .filter(({ reserve }) => reserve > 0)
    .map(({ id, seriesId, remaining, price, reserve }): Lock => {
      const unit = price;
      return { key: `order ${id}`, seriesId, kind: 'resting-buy', qty: remaining, unit, amount: reserve };
    });
  return [...shorts, ...buys].sort((a, b) => b.amount - a.amount);
}
