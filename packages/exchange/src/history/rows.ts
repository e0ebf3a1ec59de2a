/** Cash movements on their way to the file, one number per cell, so that an order needs no object and no clone. */

import type { Account, CashMovement, FillRecord } from '@venue/engine';

/** In order of their codes. */
export const MOVEMENT_KINDS = [
  'funding',
  'deposit',
  'release',
  'withdrawal',
  'trade',
  'liquidation',
  'settlement',
  'hold',
  'void',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Cells of a row, in order. A cell that a kind of movement does not use holds `NONE`. */
export const CELL = {
  seq: 0,
  /** Index among the movements of the entry. */
  n: 1,
  account: 2,
  ts: 3,
  kind: 4,
  /** The amount, without the fee. */
  cash: 5,
  fee: 6,
  fillId: 7,
  /** Order id of a fill, payout id of a withdrawal. */
  reference: 8,
  sid: 9,
  /** 1 for a buy, 0 for a sell. */
  buy: 10,
  price: 11,
  qty: 12,
  realized: 13,
  taker: 14,
  /** Index of a text of the batch: the signer of a fill, the transaction of a deposit. */
  text: 15,
} as const;
export const ROW_CELLS = 16;
/** Cells that count or name something are never negative. */
export const NONE = -1;

export type SeriesName = readonly [sid: number, seriesId: string, symbol: string];

/** The movements of the entries up to `lastSeq`, since the previous batch. */
export interface HistoryBatch {
  readonly lastSeq: number;
  readonly lastTs: number;
  /** The venue's newest fill by then. */
  readonly lastFillId: number;
  readonly cells: Float64Array<ArrayBuffer>;
  readonly texts: readonly string[];
  /** Series that no earlier batch named. */
  readonly series: readonly SeriesName[];
}

export type BatchEnd = Pick<HistoryBatch, 'lastSeq' | 'lastTs' | 'lastFillId'>;

const CAPACITY_ROWS = 1_024;

/** Collects rows. Only sealed rows are handed over, so an entry that fails half-way leaves none. */
export class RowBuffer {
  #cells = new Float64Array(CAPACITY_ROWS * ROW_CELLS);
  #count = 0;
  #sealed = 0;
  #seq = 0;
  #n = 0;
  #texts: string[] = [];
  #placeOfText = new Map<string, number>();
  #series: SeriesName[] = [];
  readonly #named = new Set<number>();

  /** Rows waiting to be taken. */
  get count(): number {
    return this.#count;
  }

  addFill(seq: number, account: Account, fill: FillRecord, cashMicros: number): void {
    const { series } = fill;
    if (!this.#named.has(series.sid)) {
      this.#named.add(series.sid);
      this.#series.push([series.sid, series.seriesId, series.instrument.symbol]);
    }
    const at = this.#next(seq, account);
    const cells = this.#cells;
    cells[at + CELL.ts] = fill.ts;
    cells[at + CELL.kind] = MOVEMENT_KINDS.indexOf(fill.kind);
    cells[at + CELL.cash] = cashMicros;
    cells[at + CELL.fee] = fill.feeMicros;
    cells[at + CELL.fillId] = fill.id;
    cells[at + CELL.reference] = fill.orderId;
    cells[at + CELL.sid] = series.sid;
    cells[at + CELL.buy] = fill.side === 'buy' ? 1 : 0;
    cells[at + CELL.price] = fill.priceMicros;
    cells[at + CELL.qty] = fill.qtyMicros;
    cells[at + CELL.realized] = fill.realizedMicros;
    cells[at + CELL.taker] = fill.taker ? 1 : 0;
    cells[at + CELL.text] = fill.signer === undefined ? NONE : this.#placeOf(fill.signer);
  }

  addMovement(seq: number, ts: number, account: Account, movement: CashMovement): void {
    const at = this.#next(seq, account);
    const cells = this.#cells;
    cells.fill(NONE, at + CELL.fillId, at + ROW_CELLS);
    cells[at + CELL.ts] = ts;
    cells[at + CELL.kind] = MOVEMENT_KINDS.indexOf(movement.kind);
    cells[at + CELL.cash] = movement.cashMicros;
    cells[at + CELL.fee] = 0;
    if ('payoutId' in movement) cells[at + CELL.reference] = movement.payoutId;
    if (movement.kind === 'deposit') cells[at + CELL.text] = this.#placeOf(movement.txHash);
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    this.#sealed = this.#count;
  }

  /** Removes and returns the sealed rows. */
  take(end: BatchEnd): HistoryBatch {
    const length = this.#sealed * ROW_CELLS;
    const batch = {
      ...end,
      cells: this.#cells.slice(0, length),
      texts: this.#texts,
      series: this.#series,
    };
    this.#cells.copyWithin(0, length, this.#count * ROW_CELLS);
    this.#count -= this.#sealed;
    this.#sealed = 0;
    this.#texts = [];
    this.#placeOfText = new Map();
    this.#series = [];
    return batch;
  }

  #next(seq: number, { index }: Account): number {
    const at = this.#count * ROW_CELLS;
    if (at === this.#cells.length) this.#grow();
    this.#n = seq === this.#seq ? this.#n + 1 : 0;
    this.#seq = seq;
    this.#count += 1;
    this.#cells[at + CELL.seq] = seq;
    this.#cells[at + CELL.n] = this.#n;
    this.#cells[at + CELL.account] = index;
    return at;
  }

  #grow(): void {
    const grown = new Float64Array(this.#cells.length * 2);
    grown.set(this.#cells);
    this.#cells = grown;
  }

  #placeOf(text: string): number {
    const known = this.#placeOfText.get(text);
    if (known !== undefined) return known;
    const place = this.#texts.push(text) - 1;
    this.#placeOfText.set(text, place);
    return place;
  }
}
