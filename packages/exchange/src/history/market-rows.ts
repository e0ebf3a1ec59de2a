/** Prints, spots and marks on their way to the file, one number per cell. */

import type { Instrument, Series, State, TapePrint } from '@venue/engine';
import { shownMark } from '../analytics/chain.ts';
import { CellBuffer, NONE, type Rows, type SeriesNames } from './cells.ts';
import { MARKET_CELL, MARKET_CELLS, MARKET_EVENTS, MINUTE_MS } from './market-cells.ts';

/** Collects what happened in the market by applied entries. */
export class MarketBuffer {
  readonly #rows = new CellBuffer(MARKET_CELLS);
  readonly #names: SeriesNames;
  /** Of the last entry. */
  #minute: number;

  /** `ts` is the time of the last entry before those that it will hear of. */
  constructor(names: SeriesNames, ts: number) {
    this.#names = names;
    this.#minute = minuteOf(ts);
  }

  /** Rows waiting to be taken. */
  get count(): number {
    return this.#rows.count;
  }

  addPrint(seq: number, print: TapePrint): void {
    const { id, series, ts, priceMicros, qtyMicros, side, isSelf } = print;
    this.#names.add(series);
    const at = this.#next(seq, 'print', ts);
    const { cells } = this.#rows;
    cells[at + MARKET_CELL.of] = series.sid;
    cells[at + MARKET_CELL.price] = priceMicros;
    cells[at + MARKET_CELL.id] = id;
    cells[at + MARKET_CELL.qty] = qtyMicros;
    cells[at + MARKET_CELL.buy] = side === 'buy' ? 1 : 0;
    cells[at + MARKET_CELL.self] = Number(isSelf);
  }

  addSpot(seq: number, ts: number, { symbol, spotMicros }: Instrument): void {
    const at = this.#next(seq, 'spot', ts);
    const { cells } = this.#rows;
    cells[at + MARKET_CELL.of] = this.#rows.placeOf(symbol);
    cells[at + MARKET_CELL.price] = spotMicros;
  }

  /** Call after every entry: the first one in a minute shows the marks of the minute (HIS-2). */
  sampleMarks(state: State): void {
    const { ts, instruments } = state;
    const minute = minuteOf(ts);
    if (minute === this.#minute) return;
    this.#minute = minute;
    for (const { series } of instruments.values()) for (const one of series) this.#addMark(state, one);
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    this.#rows.seal();
  }

  /** Removes and returns the sealed rows. */
  take(): Rows {
    return this.#rows.take();
  }

  /** By the book, a series in which nothing rests has no mark, and no sample. */
  #addMark(state: State, series: Series): void {
    const mark = shownMark(state, series);
    if (mark === null) return;
    const { seq, ts } = state;
    this.#names.add(series);
    const at = this.#next(seq, 'mark', ts);
    const { cells } = this.#rows;
    cells[at + MARKET_CELL.of] = series.sid;
    cells[at + MARKET_CELL.price] = mark;
  }

  #next(seq: number, event: (typeof MARKET_EVENTS)[number], ts: number): number {
    const at = this.#rows.add();
    const { cells } = this.#rows;
    cells[at + MARKET_CELL.seq] = seq;
    cells[at + MARKET_CELL.event] = MARKET_EVENTS.indexOf(event);
    cells[at + MARKET_CELL.ts] = ts;
    cells.fill(NONE, at + MARKET_CELL.id, at + MARKET_CELLS);
    return at;
  }
}

function minuteOf(ts: number): number {
  return Math.floor(ts / MINUTE_MS);
}
