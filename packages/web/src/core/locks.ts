/** The lines that make up an account's locked cash; they add up to `locked` in the margin report. */

import type { MarginReport } from '@venue/protocol';

interface LockOfSeries {
  readonly key: string;
  readonly kind: 'short' | 'resting-sell' | 'resting-buy';
  readonly seriesId: string;
  /** Contracts margined or reserved. */
  readonly qty: number;
  /** Dollars per contract: margin of a short, limit price of a buy. */
  readonly unit: number;
  readonly amount: number;
}

/** What no order of the report explains: its reserve is of a whole set, not of single quotes (QTS-4). */
interface LockOfSets {
  readonly key: string;
  /** `older` where the report leaves orders out, so that some of it may be theirs. */
  readonly kind: 'sets' | 'older';
  readonly amount: number;
}

export type Lock = LockOfSeries | LockOfSets;

/** The margin report lists so many orders, the newest. */
const ORDERS_MAX = 500;
const MICROS = 1_000_000;

/**
 * One line for each series that is short, or would be if its resting sells filled, one for each resting buy, and one for
 * the quote sets; largest first.
 */
export function locksOf({ series, orders, reserved }: MarginReport): Lock[] {
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
  // In whole micros, because decimals do not add up exactly.
  const ofBuys = buys.reduce((sum, { amount }) => sum + Math.round(amount * MICROS), 0);
  const amount = (Math.round(reserved * MICROS) - ofBuys) / MICROS;
  const kind = orders.length < ORDERS_MAX ? 'sets' : 'older';
  const rest: Lock[] = amount > 0 ? [{ key: kind, kind, amount }] : [];
  return [...shorts, ...buys, ...rest].sort((a, b) => b.amount - a.amount);
}
