/** The positions as a table shows them: sorted, filtered, grouped by expiry, with totals and net greeks. */

import type { Position } from '@venue/protocol';

/** Greeks of all contracts of a position, NaN where unknown; the volatility is that of one. */
export interface HeldGreeks {
  readonly delta: number;
  readonly gamma: number;
  readonly theta: number;
  readonly vega: number;
  readonly iv: number;
}

export interface PositionRow {
  readonly kind: 'position';
  readonly position: Position;
  readonly greeks: HeldGreeks;
}

/** Sums of what is known. */
export interface TotalRow {
  readonly kind: 'total';
  /** The group's underlying; null for the total of several. */
  readonly symbol: string | null;
  readonly expiryTs: number | null;
  readonly count: number;
  /** Positions whose mark, or whose greeks, are in no sum. */
  readonly unmarked: number;
  readonly unmodelled: number;
  readonly value: number;
  readonly unrealized: number;
  readonly realized: number;
  /** Delta and gamma of several underlyings have no sum. */
  readonly greeks: HeldGreeks;
}

export type BookRow = PositionRow | TotalRow;

export const SORTS = ['contract', 'size', 'value', 'unrealized', 'delta', 'theta', 'vega'] as const;
export type Sort = (typeof SORTS)[number];

export interface BookOrder {
  readonly sort: Sort;
  /** The largest first, or the last expiry. */
  readonly isDescending: boolean;
  /** Only positions on this underlying; null for all. */
  readonly symbol: string | null;
  readonly isGrouped: boolean;
}

/** The greeks of one contract; null while they are unknown. */
export type EachGreeks = (seriesId: string) => HeldGreeks | null;

/**
 * @param positions with NaN for marks that nobody knows
 */
export function bookRows(positions: readonly Position[], greeksOf: EachGreeks, order: BookOrder): BookRow[] {
  const { symbol, isGrouped } = order;
  const rows = positions
    .filter((position) => symbol === null || position.symbol === symbol)
    .map((position) => rowOf(position, greeksOf(position.seriesId)))
    .sort(byOrder(order));
  const all = rows.length > 1 ? [totalOf(rows)] : [];
  if (!isGrouped) return [...rows, ...all];
  const groups = Map.groupBy(
    rows.toSorted(byExpiry),
    ({ position }) => `${position.symbol} ${position.expiryTs}`,
  );
  // The total of the only group is the total of all.
  if (groups.size === 1) return [...rows, ...all];
  const withTotals = [...groups.values()].flatMap((group) =>
    group.length > 1 ? [...group, totalOf(group)] : group,
  );
  return [...withTotals, ...all];
}

const UNKNOWN: HeldGreeks = {
  delta: Number.NaN,
  gamma: Number.NaN,
  theta: Number.NaN,
  vega: Number.NaN,
  iv: Number.NaN,
};

function rowOf(position: Position, each: HeldGreeks | null): PositionRow {
  if (each === null) return { kind: 'position', position, greeks: UNKNOWN };
  const { qty } = position;
  const { delta, gamma, theta, vega, iv } = each;
  const greeks = { delta: qty * delta, gamma: qty * gamma, theta: qty * theta, vega: qty * vega, iv };
  return { kind: 'position', position, greeks };
}

function byExpiry({ position: a }: PositionRow, { position: b }: PositionRow): number {
  return a.symbol === b.symbol ? a.expiryTs - b.expiryTs : a.symbol < b.symbol ? -1 : 1;
}

function byContract(a: PositionRow, b: PositionRow): number {
  const [left, right] = [a.position, b.position];
  return byExpiry(a, b) || left.strike - right.strike || (left.optType < right.optType ? -1 : 1);
}

/** Unknown values come last in either direction. */
function byOrder({ sort, isDescending }: BookOrder): (a: PositionRow, b: PositionRow) => number {
  const sign = isDescending ? -1 : 1;
  if (sort === 'contract') return (a, b) => sign * byContract(a, b);
  return (a, b) => {
    const [left, right] = [figureOf(a, sort), figureOf(b, sort)];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return sign * (left - right) || byContract(a, b);
  };
}

function figureOf({ position, greeks }: PositionRow, sort: Exclude<Sort, 'contract'>): number {
  const { qty, mark, unrealized } = position;
  if (sort === 'size') return Math.abs(qty);
  if (sort === 'value') return qty * mark;
  return sort === 'unrealized' ? unrealized : greeks[sort];
}

function totalOf(rows: readonly PositionRow[]): TotalRow {
  const [{ position: first }] = rows as [PositionRow];
  const isOfOne = rows.every(({ position }) => position.symbol === first.symbol);
  const isGroup = isOfOne && rows.every(({ position }) => position.expiryTs === first.expiryTs);
  const sum = (figure: (row: PositionRow) => number) => knownSum(rows.map(figure));
  return {
    kind: 'total',
    symbol: isOfOne ? first.symbol : null,
    expiryTs: isGroup ? first.expiryTs : null,
    count: rows.length,
    unmarked: rows.filter(({ position }) => Number.isNaN(position.mark)).length,
    unmodelled: rows.filter(({ greeks }) => Number.isNaN(greeks.delta)).length,
    value: sum(({ position }) => position.qty * position.mark),
    unrealized: sum(({ position }) => position.unrealized),
    realized: sum(({ position }) => position.realized),
    greeks: {
      delta: isOfOne ? sum(({ greeks }) => greeks.delta) : Number.NaN,
      gamma: isOfOne ? sum(({ greeks }) => greeks.gamma) : Number.NaN,
      theta: sum(({ greeks }) => greeks.theta),
      vega: sum(({ greeks }) => greeks.vega),
      iv: Number.NaN,
    },
  };
}

/** NaN where none is known. */
function knownSum(figures: readonly number[]): number {
  const known = figures.filter((figure) => !Number.isNaN(figure));
  return known.length === 0 ? Number.NaN : known.reduce((total, figure) => total + figure, 0);
}
