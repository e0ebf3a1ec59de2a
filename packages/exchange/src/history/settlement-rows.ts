/** Settlement prices on their way to the file, one row an expiry of an underlying. */

import type { Decision, State } from '@venue/engine';
import { CellBuffer, NONE, type Rows } from './cells.ts';

/** Cells of a row, in order. */
export const SETTLEMENT_CELL = {
  seq: 0,
  /** Index of a text of the batch, like `sources`. */
  symbol: 1,
  expiryTs: 2,
  decidedAt: 3,
  price: 4,
  /** 1 where it was settled by hand, 0 where by the oracle. */
  byHand: 5,
  /** `NONE` without a fresh source. */
  dispersion: 6,
  sources: 7,
} as const;
export const SETTLEMENT_CELLS = 8;

/** Collects what expiries settled at. */
export class SettlementBuffer {
  readonly #rows = new CellBuffer(SETTLEMENT_CELLS);

  /** Takes a decision that has its price. */
  add(seq: number, { instrument, expiryTs, sources, dispersionMicroBps, ...decided }: Decision): void {
    const at = this.#rows.add();
    const { cells } = this.#rows;
    cells[at + SETTLEMENT_CELL.seq] = seq;
    cells[at + SETTLEMENT_CELL.symbol] = this.#rows.placeOf(instrument.symbol);
    cells[at + SETTLEMENT_CELL.expiryTs] = expiryTs;
    cells[at + SETTLEMENT_CELL.decidedAt] = decided.decidedAt!;
    cells[at + SETTLEMENT_CELL.price] = decided.priceMicros!;
    cells[at + SETTLEMENT_CELL.byHand] = Number(decided.by === 'hand');
    cells[at + SETTLEMENT_CELL.dispersion] = dispersionMicroBps ?? NONE;
    cells[at + SETTLEMENT_CELL.sources] = this.#rows.addText(JSON.stringify(sources));
  }

  /** Marks all rows so far as belonging to fully applied entries. */
  seal(): void {
    this.#rows.seal();
  }

  /** Removes and returns the sealed rows. */
  take(): Rows {
    return this.#rows.take();
  }
}

/** The settlement prices that a state has, for a history that begins with it. */
export function settlementsOf({ seq, instruments }: State): Rows {
  const buffer = new SettlementBuffer();
  for (const { decisions } of instruments.values())
    for (const decision of decisions.values()) if (decision.priceMicros !== null) buffer.add(seq, decision);
  buffer.seal();
  return buffer.take();
}
