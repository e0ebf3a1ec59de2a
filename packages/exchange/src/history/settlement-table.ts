/** Every settlement price, in the file of the history: the state keeps the newest of each underlying. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Decision, State } from '@venue/engine';
import { RowBuffer, type Rows } from './layout.ts';
import { LAYOUTS, type NewRow } from './rows.ts';

export class SettlementTable {
  readonly #db: DatabaseSync;
  readonly #add: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#add = db.prepare('INSERT INTO settlement VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** Skips entries that were written before. */
  write(rows: Rows, afterSeq: number): void {
    for (const {
      seq,
      symbol,
      expiryTs,
      decidedAt,
      price,
      by,
      dispersion,
      sources,
    } of LAYOUTS.settlements.read(rows))
      if (seq > afterSeq) this.#add.run(symbol, expiryTs, seq, decidedAt, price, by, dispersion, sources);
  }

  /** Starts afresh with the settlement prices that a state has. */
  clear(kept: Rows): void {
    this.#db.exec('DELETE FROM settlement');
    this.write(kept, -1);
  }

  /** Puts everything back to how it was after an entry. */
  forgetAfter(seq: number): void {
    this.#db.prepare('DELETE FROM settlement WHERE seq > ?').run(seq);
  }
}

/** A decision that has its price, as a row of a batch. */
export function settlementRow(seq: number, decision: Decision): NewRow<'settlements'> {
  const { instrument, expiryTs, sources, dispersionMicroBps, decidedAt, priceMicros, by } = decision;
  return {
    seq,
    symbol: instrument.symbol,
    expiryTs,
    decidedAt: decidedAt!,
    price: priceMicros!,
    by: by!,
    dispersion: dispersionMicroBps,
    sources: JSON.stringify(sources),
  };
}

/** The settlement prices that a state has, for a history that begins with it. */
export function settlementsOf({ seq, instruments }: State): Rows {
  const rows = new RowBuffer(LAYOUTS.settlements);
  for (const { decisions } of instruments.values())
    for (const decision of decisions.values())
      if (decision.priceMicros !== null) rows.add(settlementRow(seq, decision));
  rows.seal();
  return rows.take();
}
