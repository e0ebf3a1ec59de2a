/** Cash movements on their way to the file, one number per cell. */

import type { Account, CashMovement, FillRecord } from '@venue/engine';
import { CellBuffer, NONE, type Rows, type SeriesNames } from './cells.ts';

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

/** Collects the movements of applied entries. */
export class RowBuffer {
  readonly #rows = new CellBuffer(ROW_CELLS);
  readonly #names: SeriesNames;
  #seq = 0;
  #n = 0;

  constructor(names: SeriesNames) {
    this.#names = names;
  }

  /** Rows waiting to be taken. */
  get count(): number {
    return this.#rows.count;
  }

  addFill(seq: number, account: Account, fill: FillRecord, cashMicros: number): void {
    const { series } = fill;
    this.#names.add(series);
    const at = this.#next(seq, account);
    const { cells } = this.#rows;
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
    cells[at + CELL.text] = fill.signer === undefined ? NONE : this.#rows.placeOf(fill.signer);
  }

  addMovement(seq: number, ts: number, account: Account, movement: CashMovement): void {
    const at = this.#next(seq, account);
    const { cells } = this.#rows;
    cells.fill(NONE, at + CELL.fillId, at + ROW_CELLS);
    cells[at + CELL.ts] = ts;
    cells[at + CELL.kind] = MOVEMENT_KINDS.indexOf(movement.kind);
    cells[at + CELL.cash] = movement.cashMicros;
    cells[at + CELL.fee] = 0;
    if ('payoutId' in movement) cells[at + CELL.reference] = movement.payoutId;
    if (movement.kind === 'deposit') cells[at + CELL.text] = this.#rows.placeOf(movement.txHash);
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    this.#rows.seal();
  }

  /** Removes and returns the sealed rows. */
  take(): Rows {
    return this.#rows.take();
  }

  #next(seq: number, { index }: Account): number {
    const at = this.#rows.add();
    const { cells } = this.#rows;
    this.#n = seq === this.#seq ? this.#n + 1 : 0;
    this.#seq = seq;
    cells[at + CELL.seq] = seq;
    cells[at + CELL.n] = this.#n;
    cells[at + CELL.account] = index;
    return at;
  }
}
