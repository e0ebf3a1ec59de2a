/** Every settlement price, in the file of the history: the state keeps the newest of each underlying. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { NONE, type Rows } from './cells.ts';
import { SETTLEMENT_CELL, SETTLEMENT_CELLS } from './settlement-rows.ts';

export class SettlementTable {
  readonly #db: DatabaseSync;
  readonly #add: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#add = db.prepare('INSERT INTO settlement VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** Skips entries that were written before. */
  write({ cells, texts }: Rows, afterSeq: number): void {
    for (let at = 0; at < cells.length; at += SETTLEMENT_CELLS) {
      const cell = (name: keyof typeof SETTLEMENT_CELL): number => cells[at + SETTLEMENT_CELL[name]]!;
      const [seq, dispersion] = [cell('seq'), cell('dispersion')];
      if (seq <= afterSeq) continue;
      this.#add.run(
        ...([texts[cell('symbol')]!, cell('expiryTs'), seq, cell('decidedAt'), cell('price')] as const),
        ...([
          cell('byHand') === 1 ? 'hand' : 'oracle',
          dispersion === NONE ? null : dispersion,
          texts[cell('sources')]!,
        ] as const),
      );
    }
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
