/** Figures of the positions as they are written, in hundredths: rows add up to their totals, legs to their strategy (TERM-23). */

import { addingUp, inCents } from '../../../basics/adding-up.ts';
import { type BookRow, worthOf } from './book-rows.ts';

/** Figures that have a sum, and two decimals. */
export const SUMMED = ['value', 'unrealized', 'realized', 'delta', 'theta', 'vega'] as const;
export type Summed = (typeof SUMMED)[number];
/** NaN where unknown. */
export type ShownFigures = Readonly<Record<Summed, number>>;

interface Node {
  readonly row: BookRow;
  readonly parts: readonly Node[];
}

/**
 * By the key of the row. A total is exact, so that it is the sum that other places show, and its rows give way by less than
 * a hundredth each.
 *
 * @param lines of the table, without the legs of opened strategies
 */
export function shownFigures(lines: readonly BookRow[]): ReadonlyMap<string, ShownFigures> {
  const shown = new Map<string, Record<Summed, number>>();
  for (const figure of SUMMED) {
    const write = ({ row, parts }: Node, amount: number) => {
      shown.set(row.key, { ...(shown.get(row.key) ?? UNKNOWN_FIGURES), [figure]: amount });
      const exact = parts.map((part) => figureOf(part.row, figure));
      const written = Number.isNaN(amount) ? exact.map(rounded) : knownAddingUp(amount, exact);
      for (const [at, part] of parts.entries()) write(part, written[at]!);
    };
    for (const root of treeOf(lines)) write(root, rounded(figureOf(root.row, figure)));
  }
  return shown;
}

const UNKNOWN_FIGURES: ShownFigures = {
  value: Number.NaN,
  unrealized: Number.NaN,
  realized: Number.NaN,
  delta: Number.NaN,
  theta: Number.NaN,
  vega: Number.NaN,
};

/** Each total with the rows above it that it sums, the last with all. */
function treeOf(lines: readonly BookRow[]): readonly Node[] {
  const open: Node[] = [];
  for (const [at, row] of lines.entries()) {
    if (row.kind !== 'total') {
      const legs = row.kind === 'strategy' ? row.legs : [];
      open.push({ row, parts: legs.map((leg) => ({ row: leg, parts: [] })) });
    } else if (at === lines.length - 1) return [{ row, parts: open }];
    else open.push({ row, parts: open.splice(-row.count) });
  }
  return open;
}

function figureOf(row: BookRow, figure: Summed): number {
  if (figure === 'value') return worthOf(row);
  if (figure === 'unrealized' || figure === 'realized')
    return ('position' in row ? row.position : row)[figure];
  return row.greeks[figure];
}

function rounded(amount: number): number {
  return Number.isNaN(amount) ? amount : inCents(amount);
}

/** Sums leave out what is unknown. */
function knownAddingUp(total: number, parts: readonly number[]): readonly number[] {
  const written = addingUp(
    total,
    parts.filter((part) => !Number.isNaN(part)),
  ).values();
  return parts.map((part) => (Number.isNaN(part) ? part : written.next().value!));
}
