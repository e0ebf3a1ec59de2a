/** Movements of cash on their way to the file: one number a cell, so that an order pays for no object and no clone. */

import type { Account, CashMovement, FillRecord } from '@venue/engine';

/** In the order of their codes. */
export const MOVEMENT_KINDS = [
  'funding',
  'deposit',
  'release',
  'withdrawal',
  'trade',
  'liquidation',
  'settlement',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Cells of a row, in their order. A cell that a kind of movement has no use for is `NONE`. */
export const CELL = {
  seq: 0,
  /** Place among the movements of the entry. */
  n: 1,
  account: 2,
  ts: 3,
  kind: 4,
  /** What moved, the fee aside. */
  cash: 5,
  fee: 6,
  fillId: 7,
  /** Order of a fill, payout of a withdrawal. */
  reference: 8,
  sid: 9,
  /** 1 for a buy, 0 for a sell. */
  buy: 10,
  price: 11,
  qty: 12,
  realized: 13,
  taker: 14,
  /** Place of a text among those of the batch: who signed a fill, the transaction of a deposit. */
  text: 15,
} as const;
export const ROW_CELLS = 16;
/** No cell that counts or names something is below zero. */
export const NONE = -1;

export type SeriesName = readonly [sid: number, seriesId: string, symbol: string];

/** What entries up to `lastSeq` moved, after the batch before. */
export interface HistoryBatch {
  readonly lastSeq: number;
  readonly lastTs: number;
  /** Newest fill of the venue by then. */
  readonly lastFillId: number;
  readonly cells: Float64Array<ArrayBuffer>;
  readonly texts: readonly string[];
  /** Series that no batch before named. */
  readonly series: readonly SeriesName[];
}

export type BatchEnd = Pick<HistoryBatch, 'lastSeq' | 'lastTs' | 'lastFillId'>;

const CAPACITY_ROWS = 1_024;

/** Gathers rows. Only those that are sealed are handed over: an entry that fails half-way leaves none. */
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

  /** Rows that wait to be taken. */
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
    if (movement.kind === 'withdrawal') cells[at + CELL.reference] = movement.payoutId;
    if (movement.kind === 'deposit') cells[at + CELL.text] = this.#placeOf(movement.txHash);
  }

  /** All rows so far are of entries that were applied to their end. */
  seal(): void {
    this.#sealed = this.#count;
  }

  /** Takes the sealed rows out. */
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
