/** A table as CSV (RFC 4180): times in ISO 8601, amounts as plain decimals, an empty field for what is not there. */

import type { HashedFile } from './hashed-file.ts';
import type { Cell, Column, ColumnKind, Row } from './tables.ts';

const CHUNK_CHARS = 65_536;
const MICROS = 1_000_000;
const DECIMALS = 6;
const NEEDS_QUOTES = /[",\r\n]/;

export class CsvTable {
  readonly #file: HashedFile;
  readonly #columns: readonly Column[];
  #text: string;

  constructor(file: HashedFile, columns: readonly Column[]) {
    this.#file = file;
    this.#columns = columns;
    this.#text = `${columns.map(({ name }) => name).join()}\n`;
  }

  add(row: Row): void {
    let line = '';
    for (const [i, { kind }] of this.#columns.entries())
      line += `${i === 0 ? '' : ','}${fieldOf(kind, row[i]!)}`;
    this.#text += `${line}\n`;
    if (this.#text.length >= CHUNK_CHARS) this.#flush();
  }

  /** Call once, after the last row. */
  end(): void {
    this.#flush();
  }

  #flush(): void {
    this.#file.write(Buffer.from(this.#text));
    this.#text = '';
  }
}

function fieldOf(kind: ColumnKind, cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  if (kind === 'time') return new Date(cell).toISOString();
  return kind === 'amount' ? decimalOf(cell) : String(cell);
}

/** A JavaScript number would show a small amount with an exponent. */
function decimalOf(micros: number): string {
  const sign = micros < 0 ? '-' : '';
  const size = Math.abs(micros);
  const rest = size % MICROS;
  const whole = `${sign}${(size - rest) / MICROS}`;
  if (rest === 0) return whole;
  return `${whole}.${String(rest).padStart(DECIMALS, '0').replace(/0+$/, '')}`;
}
