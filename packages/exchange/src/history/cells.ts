/** Rows of numbers on their way to the file of the history, so that an order needs no object and no clone. */

import type { Series } from '@venue/engine';

/** Cells that count or name something are never negative; this marks one that a row does not use. */
export const NONE = -1;

export interface Rows {
  readonly cells: Float64Array<ArrayBuffer>;
  /** Texts that cells name by their index. */
  readonly texts: readonly string[];
}

export const NO_ROWS: Rows = { cells: new Float64Array(0), texts: [] };

const CAPACITY_ROWS = 1_024;

/** Collects rows. Only sealed rows are handed over, so an entry that fails half-way leaves none. */
export class CellBuffer {
  readonly #width: number;
  #cells: Float64Array<ArrayBuffer>;
  #count = 0;
  #sealed = 0;
  #texts: string[] = [];
  #placeOfText = new Map<string, number>();

  /** `width` is the number of cells of a row. */
  constructor(width: number) {
    this.#width = width;
    this.#cells = new Float64Array(CAPACITY_ROWS * width);
  }

  /** Rows waiting to be taken. */
  get count(): number {
    return this.#count;
  }

  /** All rows; valid until the next one is added. */
  get cells(): Float64Array {
    return this.#cells;
  }

  /** Adds a row of arbitrary content and returns the place of its first cell. */
  add(): number {
    const at = this.#count * this.#width;
    if (at === this.#cells.length) this.#grow();
    this.#count += 1;
    return at;
  }

  /** The index of a text that several rows may name. */
  placeOf(text: string): number {
    const known = this.#placeOfText.get(text);
    if (known !== undefined) return known;
    const place = this.addText(text);
    this.#placeOfText.set(text, place);
    return place;
  }

  /** The index of a text that no other row names. */
  addText(text: string): number {
    return this.#texts.push(text) - 1;
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    this.#sealed = this.#count;
  }

  /** Removes and returns the sealed rows. */
  take(): Rows {
    const length = this.#sealed * this.#width;
    const rows = { cells: this.#cells.slice(0, length), texts: this.#texts };
    this.#cells.copyWithin(0, length, this.#count * this.#width);
    this.#count -= this.#sealed;
    this.#sealed = 0;
    this.#texts = [];
    this.#placeOfText = new Map();
    return rows;
  }

  #grow(): void {
    const grown = new Float64Array(this.#cells.length * 2);
    grown.set(this.#cells);
    this.#cells = grown;
  }
}

export type SeriesName = readonly [sid: number, seriesId: string, symbol: string];

/** Names of series for the file, each given once. */
export class SeriesNames {
  #names: SeriesName[] = [];
  readonly #given = new Set<number>();

  add({ sid, seriesId, instrument }: Series): void {
    if (this.#given.has(sid)) return;
    this.#given.add(sid);
    this.#names.push([sid, seriesId, instrument.symbol]);
  }

  /** Removes and returns the names since the last call. */
  take(): readonly SeriesName[] {
    const names = this.#names;
    this.#names = [];
    return names;
  }
}
