/** Tables that fit: on a narrow terminal the least important columns are shortened and then left out. */

import { decimalText, type Places, placesOf } from './numbers.ts';
import { plain } from './plain.ts';
import type { Paint, Style } from './style.ts';

export interface Column<Row> {
  /** Includes the unit, if there is one. */
  readonly title: string;
  /** A number is right-aligned, with as many places as its column needs; null is a dash. */
  readonly cell: (row: Row) => string | number | null;
  /** For numbers: by default cents at least, micros at most. */
  readonly places?: Places;
  /** 0 for a column that always stays; of the others, the largest rank is left out first. */
  readonly rank: number;
  /** The text may be shortened to this many characters, in the middle. */
  readonly shortest?: number;
  readonly style?: (row: Row) => Style | undefined;
}

export interface Page {
  /** Characters per line; `Infinity` for no limit. */
  readonly width: number;
  readonly paint: Paint;
}

const GAP = 2;
const DEFAULT_PLACES: Places = [2, 6];

interface Laid<Row> {
  readonly column: Column<Row>;
  readonly cells: readonly string[];
  readonly isNumeric: boolean;
  readonly natural: number;
  width: number;
}

/**
 * Lines of a table with a header, none wider than the page as long as the columns of rank 0 fit. A last line names
 * the columns left out.
 *
 * @example table([{ title: 'qty', cell: ({ qty }) => qty, rank: 0 }], rows, { width: 80, paint: colourless })
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], page: Page): string[] {
  const all = columns.map((column) => laidOut(column, rows));
  const shown = fitted(all, page.width);
  const header = line(shown.map((laid) => padded(laid, laid.column.title)));
  const body = rows.map((row, i) =>
    line(shown.map((laid) => page.paint(padded(laid, laid.cells[i]!), laid.column.style?.(row)))),
  );
  const dropped = all.filter((laid) => !shown.includes(laid)).map(({ column }) => column.title);
  return [page.paint(header, 'bold'), ...body, ...droppedLine(dropped, page)];
}

function laidOut<Row>(column: Column<Row>, rows: readonly Row[]): Laid<Row> {
  const values = rows.map(column.cell);
  const isNumeric = values.every((value) => typeof value !== 'string');
  const [min, max] = column.places ?? DEFAULT_PLACES;
  const needed = values.map((value) => (typeof value === 'number' ? placesOf(value.toFixed(max)) : 0));
  const places = Math.max(min, ...needed);
  const cells = values.map((value) => {
    if (value === null) return '-';
    return typeof value === 'number' ? decimalText(value, [places, places]) : plain(value);
  });
  const natural = Math.max(column.title.length, ...cells.map(({ length }) => length));
  return { column, cells, isNumeric: isNumeric && rows.length > 0, natural, width: natural };
}

/** Shortens texts, the least important first, and only then leaves columns out. */
function fitted<Row>(all: readonly Laid<Row>[], width: number): readonly Laid<Row>[] {
  let shown = all;
  while (widthOf(shown) > width) {
    const over = widthOf(shown) - width;
    const byRank = shown.toSorted((a, b) => b.column.rank - a.column.rank);
    const shortenable = byRank.find((laid) => laid.width > shortestOf(laid));
    const lastRank = byRank[0]?.column.rank ?? 0;
    if (shortenable !== undefined) {
      shortenable.width = Math.max(shortestOf(shortenable), shortenable.width - over);
    } else if (lastRank > 0) {
      // Columns of one rank belong together.
      shown = shown.filter(({ column }) => column.rank < lastRank);
      // There may now be more room than when they were shortened.
      for (const laid of shown) laid.width = laid.natural;
    } else break;
  }
  return shown;
}

function shortestOf<Row>({ column, natural }: Laid<Row>): number {
  return Math.min(natural, Math.max(column.shortest ?? natural, column.title.length));
}

function widthOf<Row>(shown: readonly Laid<Row>[]): number {
  return shown.reduce((sum, { width }) => sum + width + GAP, -GAP);
}

function padded<Row>({ width, isNumeric }: Laid<Row>, text: string): string {
  const short = shortened(text, width);
  return isNumeric ? short.padStart(width) : short.padEnd(width);
}

/** The text shortened in the middle to fit the width. */
export function shortened(text: string, width: number): string {
  if (text.length <= width) return text;
  const tail = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - tail)}…${text.slice(text.length - tail)}`;
}

function line(cells: readonly string[]): string {
  return cells.join(' '.repeat(GAP)).trimEnd();
}

function droppedLine(dropped: readonly string[], { width, paint }: Page): string[] {
  if (dropped.length === 0) return [];
  const text = `(not shown for want of width: ${dropped.join(', ')})`;
  return [paint(text.slice(0, width).trimEnd(), 'dim')];
}

/** Names and values below each other, without values that are null. */
export function pairs(
  rows: readonly (readonly [name: string, value: string | null])[],
  { paint }: Page,
): string[] {
  const shown = rows.filter((row): row is [string, string] => row[1] !== null);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${paint(name.padEnd(width), 'bold')}${' '.repeat(GAP)}${value}`);
}
