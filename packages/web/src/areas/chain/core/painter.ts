/**
 * Writes changed numbers into the chain's cells once per frame, bypassing React: a cell is a text node whose data is
 * replaced, and equal texts are left alone. A notable change has a line over or under it for one update and never
 * fades, as animating a colour costs ten times as much as all the numbers.
 */

import { COLUMN_COUNT, COLUMNS, type Column, type Market } from '../../../market/market.ts';

/** A table cell made by React. */
export interface Cell {
  readonly element: HTMLElement;
  readonly text: Text;
}

export interface PainterOptions {
  readonly market: Market;
  readonly format: (column: Column, value: number) => string;
  /** False where the person prefers reduced motion, and for the first numbers of a chain. */
  readonly mayFlash: () => boolean;
  /** Called after numbers were painted. */
  readonly onPainted?: () => void;
  readonly requestFrame?: (paint: () => void) => void;
  readonly now?: () => number;
}

const FLASHING: ReadonlySet<Column> = new Set(['bid', 'ask', 'mark']);
const FLASH_SHARE_MIN = 0.005;
const FLASH_EVERY_MS = 1_000;

export class Painter {
  readonly #options: PainterOptions;
  readonly #cells = new Map<number, Cell>();
  #texts: string[] = [];
  #shown = new Float64Array(0);
  #flashedMs = new Float64Array(0);
  #lit = new Set<HTMLElement>();
  #isAsked = false;
  #isFresh = true;

  constructor(options: PainterOptions) {
    this.#options = options;
  }

  /** Makes a cell show a leg's column. */
  attach(legIndex: number, column: Column, element: HTMLElement): void {
    const place = legIndex * COLUMN_COUNT + COLUMNS.indexOf(column);
    const text = (element.firstChild as Text | null) ?? element.appendChild(document.createTextNode(''));
    text.data = this.#texts[place] ?? '';
    this.#cells.set(place, { element, text });
  }

  /** Empties the cell of a leg's column: it may show another one next. */
  detach(legIndex: number, column: Column): void {
    const place = legIndex * COLUMN_COUNT + COLUMNS.indexOf(column);
    const cell = this.#cells.get(place);
    if (cell !== undefined) cell.text.data = '';
    this.#cells.delete(place);
  }

  /** Starts over for other legs: their first numbers are painted without a flash. */
  reset(legs: number): void {
    this.#darken();
    const size = legs * COLUMN_COUNT;
    this.#texts = new Array(size).fill('');
    this.#shown = new Float64Array(size).fill(Number.NaN);
    this.#flashedMs = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    this.#isFresh = true;
    this.#options.market.touchAll();
    this.request();
  }

  /** Paints in the next frame. */
  request(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    (this.#options.requestFrame ?? requestAnimationFrame)(() => {
      this.#isAsked = false;
      this.paint();
    });
  }

  paint(): void {
    const { market, format, mayFlash, onPainted, now = () => performance.now() } = this.#options;
    this.#darken();
    const flashes = !this.#isFresh && mayFlash();
    const nowMs = now();
    market.takeChanged((legIndex, columnIndex, value) => {
      const place = legIndex * COLUMN_COUNT + columnIndex;
      const column = COLUMNS[columnIndex]!;
      const text = format(column, value);
      const before = this.#shown[place]!;
      this.#shown[place] = value;
      if (text === this.#texts[place]) return;
      this.#texts[place] = text;
      const cell = this.#cells.get(place);
      if (cell === undefined) return;
      cell.text.data = text;
      if (flashes && FLASHING.has(column) && this.#matters(legIndex, before, value))
        this.#light(place, cell, before, value, nowMs);
    });
    this.#isFresh = false;
    onPainted?.();
  }

  /** True for a change of more than half the spread, or half a percent. */
  #matters(legIndex: number, before: number, value: number): boolean {
    const move = Math.abs(value - before);
    const leg = this.#options.market.shape?.legs[legIndex];
    if (leg === undefined || Number.isNaN(move)) return false;
    const spread = this.#options.market.value(leg, 'ask') - this.#options.market.value(leg, 'bid');
    return move >= spread / 2 || move >= before * FLASH_SHARE_MIN;
  }

  #darken(): void {
    for (const element of this.#lit) delete element.dataset.flash;
    this.#lit.clear();
  }

  #light(place: number, { element }: Cell, before: number, value: number, nowMs: number): void {
    if (nowMs - this.#flashedMs[place]! < FLASH_EVERY_MS) return;
    this.#flashedMs[place] = nowMs;
    element.dataset.flash = value > before ? 'up' : 'down';
    this.#lit.add(element);
  }
}
