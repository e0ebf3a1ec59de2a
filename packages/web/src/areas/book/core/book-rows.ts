/** The positions as a table shows them: sorted, filtered, grouped by expiry or strategy, with totals and net greeks. */

import type { Position } from '@venue/protocol';
import { partOf } from './position-parts.ts';
import { type EachGreeks, type HeldGreeks, type PositionRow, positionRow } from './position-row.ts';
import type { Part, Recognised } from './strategies.ts';
import { type StrategyRow, strategyRow } from './strategy-row.ts';

/** Sums of what is known. */
export interface TotalRow {
  readonly kind: 'total';
  readonly key: string;
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

/** A row of its own, to which the others belong. */
type Line = PositionRow | StrategyRow;
export type BookRow = Line | TotalRow;

export const SORTS = ['contract', 'size', 'value', 'unrealized', 'delta', 'theta', 'vega'] as const;
export type Sort = (typeof SORTS)[number];

export interface BookOrder {
  readonly sort: Sort;
  /** The largest first, or the last expiry. */
  readonly isDescending: boolean;
  /** Only positions on this underlying; null for all. */
  readonly symbol: string | null;
  /** By the strategies of all positions, by expiry, or not at all. */
  readonly grouping: Recognised | 'expiry' | 'none';
}

/**
 * Strategies without the rows of their legs.
 *
 * @param positions with NaN for marks that nobody knows
 */
export function bookRows(positions: readonly Position[], greeksOf: EachGreeks, order: BookOrder): BookRow[] {
  const { symbol, grouping } = order;
  const rows = positions
    .filter((position) => symbol === null || position.symbol === symbol)
    .map((position) => positionRow(position, { greeksOf, heldQty: position.qty, key: position.seriesId }))
    .sort(byOrder(order));
  if (typeof grouping === 'object') {
    const lines = linesOf(rows, grouping, greeksOf).sort(byOrder(order));
    return lines.length > 1 ? [...lines, totalOf(rows)] : lines;
  }
  const all = rows.length > 1 ? [totalOf(rows)] : [];
  if (grouping === 'none') return [...rows, ...all];
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

/** The rows of the opened strategies followed by those of their legs. */
export function withLegs(rows: readonly BookRow[], opened: ReadonlySet<string>): BookRow[] {
  return rows.flatMap((row) => (row.kind === 'strategy' && opened.has(row.key) ? [row, ...row.legs] : [row]));
}

/** Makes a line for each strategy and single whose positions are among the rows. */
function linesOf(
  rows: readonly PositionRow[],
  { strategies, singles }: Recognised,
  greeksOf: EachGreeks,
): Line[] {
  const held = new Map(rows.map(({ position }) => [position.seriesId, position]));
  const rowsOf = (parts: readonly Part[], keyOf: (part: Part) => string) =>
    parts.flatMap((part) => {
      const whole = held.get(part.seriesId);
      if (whole === undefined) return [];
      return [positionRow(partOf(whole, part), { greeksOf, heldQty: whole.qty, key: keyOf(part) })];
    });
  const lines = strategies.flatMap((strategy) => {
    const legs = rowsOf(strategy.legs, ({ seriesId }) => `${strategy.key}/${seriesId}`);
    if (legs.length === 0) return [];
    return [
      strategyRow(
        strategy,
        legs.map((leg) => ({ ...leg, kind: 'leg' })),
      ),
    ];
  });
  return [...lines, ...rowsOf(singles, ({ seriesId }) => seriesId)];
}

/** The position that a line is sorted by: of a strategy the lowest strike of its first expiry. */
function firstOf(line: Line): Position {
  if (line.kind !== 'strategy') return line.position;
  const legs = line.legs.map(({ position }) => position);
  return legs.reduce((first, leg) => (leg.expiryTs < first.expiryTs ? leg : first));
}

function byExpiry(one: Line, other: Line): number {
  const [a, b] = [firstOf(one), firstOf(other)];
  return a.symbol === b.symbol ? a.expiryTs - b.expiryTs : a.symbol < b.symbol ? -1 : 1;
}

function byContract(one: Line, other: Line): number {
  const [a, b] = [firstOf(one), firstOf(other)];
  return byExpiry(one, other) || a.strike - b.strike || a.optType.localeCompare(b.optType);
}

/** Unknown values come last in either direction. */
function byOrder({ sort, isDescending }: BookOrder): (a: Line, b: Line) => number {
  const sign = isDescending ? -1 : 1;
  if (sort === 'contract') return (a, b) => sign * byContract(a, b);
  return (a, b) => {
    const [left, right] = [figureOf(a, sort), figureOf(b, sort)];
    if (Number.isNaN(left) || Number.isNaN(right))
      return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return sign * (left - right) || byContract(a, b);
  };
}

function figureOf(line: Line, sort: Exclude<Sort, 'contract'>): number {
  const { qty, unrealized } = line.kind === 'strategy' ? line : line.position;
  if (sort === 'size') return Math.abs(qty);
  if (sort === 'value') return worthOf(line);
  return sort === 'unrealized' ? unrealized : line.greeks[sort];
}

/** In dollars, negative for what it would cost to close. */
export function worthOf(row: BookRow): number {
  return 'position' in row ? row.position.qty * row.position.mark : row.value;
}

function totalOf(rows: readonly PositionRow[]): TotalRow {
  const [{ position: first }] = rows as [PositionRow];
  const isOfOne = rows.every(({ position }) => position.symbol === first.symbol);
  const isGroup = isOfOne && rows.every(({ position }) => position.expiryTs === first.expiryTs);
  const sum = (figure: (row: PositionRow) => number) => knownSum(rows.map(figure));
  const symbol = isOfOne ? first.symbol : null;
  const expiryTs = isGroup ? first.expiryTs : null;
  return {
    ...{ kind: 'total', key: `${symbol} ${expiryTs}`, symbol, expiryTs },
    count: rows.length,
    unmarked: rows.filter(({ position }) => Number.isNaN(position.mark)).length,
    unmodelled: rows.filter(({ greeks }) => Number.isNaN(greeks.delta)).length,
    value: sum(worthOf),
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
