/** The lines that make up an account's locked cash; they add up to `locked` in the margin report. */

import { type MarginGroup, type MarginReport, MICROS_PER_UNIT } from '@venue/protocol';
import { addingUp } from '../../../basics/adding-up.ts';
import { microsOf } from '../../../basics/micros.ts';

interface LockAmount {
  readonly key: string;
  /** Dollars, to the micro. */
  readonly amount: number;
  /** Dollars in whole cents, which add up to `locked` in whole cents. */
  readonly shown: number;
}

interface LockOfSeries extends LockAmount {
  readonly kind: 'short' | 'resting-sell' | 'resting-buy';
  readonly seriesId: string;
  /** Contracts margined or reserved. */
  readonly qty: number;
  /** Dollars per contract: margin of a short, limit price of a buy. */
  readonly unit: number;
}

/** The positions of one expiry, where longs cover shorts: what they lock together (DRM-1). */
interface LockOfGroup extends LockAmount {
  readonly kind: 'group';
  readonly group: MarginGroup;
}

/** A lock that no order of the report explains: its reserve is of a whole set, not of single quotes (QTS-4). */
interface LockOfSets extends LockAmount {
  /** `older` where the report leaves orders out, so that some of it may be theirs. */
  readonly kind: 'sets' | 'older';
}

export type Lock = LockOfSeries | LockOfGroup | LockOfSets;

type Exact = Lock extends infer L ? (L extends Lock ? Omit<L, 'shown'> : never) : never;

/** The margin report lists so many orders, the newest. */
const ORDERS_MAX = 500;

/**
 * One line for each series that is short, or would be if its resting sells filled, one for each resting buy, and one for
 * the quote sets; largest first. In defined-risk mode a line for each expiry, as its shorts lock nothing one by one.
 */
export function locksOf({ series, orders, reserved, groups, locked }: MarginReport): Lock[] {
  const buys = orders
    .filter(({ reserve }) => reserve > 0)
    .map(({ id, seriesId, remaining, price, reserve }): Exact => {
      const unit = price;
      return { key: `order ${id}`, seriesId, kind: 'resting-buy', qty: remaining, unit, amount: reserve };
    });
  // In whole micros, because decimals do not add up exactly.
  const ofBuys = buys.reduce((sum, { amount }) => sum + microsOf(amount), 0);
  const amount = (microsOf(reserved) - ofBuys) / MICROS_PER_UNIT;
  const kind = orders.length < ORDERS_MAX ? 'sets' : 'older';
  const rest: Exact[] = amount > 0 ? [{ key: kind, kind, amount }] : [];
  const shorts = groups === undefined ? ofSeries(series) : ofGroups(groups);
  const lines = [...shorts, ...buys, ...rest].sort((a, b) => b.amount - a.amount);
  const shown = addingUp(
    locked,
    lines.map((line) => line.amount),
  );
  return lines.map((line, at) => ({ ...line, shown: shown[at]! }));
}

function ofSeries(series: MarginReport['series']): Exact[] {
  return series.map(({ seriesId, qty, entry }): Exact => {
    const kind = qty < 0 ? 'short' : 'resting-sell';
    return { key: seriesId, seriesId, kind, qty: entry.qty, unit: entry.unit, amount: entry.amount };
  });
}

function ofGroups(groups: readonly MarginGroup[]): Exact[] {
  return groups
    .filter(({ rule }) => rule !== 'none')
    .map((group): Exact => {
      const { symbol, expiryTs, requirement: amount } = group;
      return { key: `group ${symbol} ${expiryTs}`, kind: 'group', group, amount };
    });
}
