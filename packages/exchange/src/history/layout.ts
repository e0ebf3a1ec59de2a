/**
 * Rows on their way to the file of the history: one number per field, so that a batch goes to another thread without a
 * clone of objects. A layout declares the fields once; the type of a row, its writer and its reader follow.
 */

/** A field's values as numbers. Those that are numbers already stand for themselves. */
interface Column<T> {
  readonly toCell?: (value: string, texts: Texts) => number;
  readonly fromCell: (cell: number, texts: readonly string[]) => T;
}

export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row as it is read: null in a field that it does not use. */
export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never;
};

/** A row as it is written: a field that it does not use may be left out. */
export type Given<Row> = {
  readonly [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name];
} & { readonly [Name in keyof Row as null extends Row[Name] ? Name : never]?: Row[Name] | undefined };

export const int: Column<number> = { fromCell: (cell) => cell };

/** A text that several rows of a batch may share. */
export const text: Column<string> = {
  toCell: (value, texts) => texts.placeOf(value),
  fromCell: (cell, texts) => texts[cell]!,
};

/** A text of one row. */
export const ownText: Column<string> = {
  toCell: (value, texts) => texts.add(value),
  fromCell: (cell, texts) => texts[cell]!,
};

/** One of a few texts. */
export function oneOf<const T extends string>(...values: readonly T[]): Column<T> {
  const codes = new Map<string, number>(values.map((value, code) => [value, code]));
  return { toCell: (value) => codes.get(value)!, fromCell: (cell) => values[cell]! };
}

export function optional<T>({ toCell, fromCell }: Column<T>): Column<T | null> {
  return {
    ...(toCell && { toCell }),
    fromCell: (cell, texts) => (Number.isNaN(cell) ? null : fromCell(cell, texts)),
  };
}

export interface Rows {
  /** `NaN` in a field that a row does not use. */
  readonly cells: Float64Array<ArrayBuffer>;
  /** Texts that cells name by their index. */
  readonly texts: readonly string[];
}

export const NO_ROWS: Rows = { cells: new Float64Array(0), texts: [] };

export interface Layout<C extends Columns> {
  readonly columns: C;
  /** The number of rows. */
  count(rows: Rows): number;
  /** Goes through the rows. Each is valid until the next one is asked for. */
  read(rows: Rows): Generator<RowOf<C>>;
}

export function layout<const C extends Columns>(columns: C): Layout<C> {
  const names = Object.keys(columns);
  const width = names.length;
  class Cursor {
    at = 0;
    readonly cells: Float64Array;
    readonly texts: readonly string[];

    constructor({ cells, texts }: Rows) {
      this.cells = cells;
      this.texts = texts;
    }
  }
  names.forEach((name, place) => {
    const { fromCell } = columns[name]!;
    Object.defineProperty(Cursor.prototype, name, {
      get(this: Cursor) {
        return fromCell(this.cells[this.at + place]!, this.texts);
      },
    });
  });
  return {
    columns,
    count: ({ cells }) => cells.length / width,
    *read(rows) {
      const cursor = new Cursor(rows);
      for (; cursor.at < rows.cells.length; cursor.at += width) yield cursor as unknown as RowOf<C>;
    },
  };
}

class Texts {
  readonly all: string[] = [];
  readonly #places = new Map<string, number>();

  placeOf(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    const place = this.add(text);
    this.#places.set(text, place);
    return place;
  }

  add(text: string): number {
    return this.all.push(text) - 1;
  }
}

const CAPACITY_ROWS = 1_024;

/** Collects rows. Only sealed rows are handed over, so an entry that fails half-way leaves none. */
export class RowBuffer<C extends Columns> {
  readonly #names: readonly string[];
  readonly #columns: readonly Column<unknown>[];
  #cells: Float64Array<ArrayBuffer>;
  #used = 0;
  #sealed = 0;
  #texts = new Texts();

  constructor({ columns }: Layout<C>) {
    this.#names = Object.keys(columns);
    this.#columns = Object.values(columns);
    this.#cells = new Float64Array(CAPACITY_ROWS * this.#names.length);
  }

  /** Rows waiting to be taken. */
  get count(): number {
    return this.#used / this.#names.length;
  }

  add(row: Given<RowOf<C>>): void {
    if (this.#used === this.#cells.length) this.#grow();
    const [names, columns, cells, at] = [this.#names, this.#columns, this.#cells, this.#used];
    for (let i = 0; i < names.length; i++) {
      const value = (row as Readonly<Record<string, number | string | null | undefined>>)[names[i]!];
      if (typeof value === 'number') cells[at + i] = value;
      else if (typeof value === 'string') cells[at + i] = columns[i]!.toCell!(value, this.#texts);
      else cells[at + i] = Number.NaN;
    }
    this.#used += names.length;
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    this.#sealed = this.#used;
  }

  /** Removes and returns the sealed rows. */
  take(): Rows {
    const rows = { cells: this.#cells.slice(0, this.#sealed), texts: this.#texts.all };
    this.#cells.copyWithin(0, this.#sealed, this.#used);
    this.#used -= this.#sealed;
    this.#sealed = 0;
    this.#texts = new Texts();
    return rows;
  }

  #grow(): void {
    const grown = new Float64Array(this.#cells.length * 2);
    grown.set(this.#cells);
    this.#cells = grown;
  }
}
