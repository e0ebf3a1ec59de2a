/** Samples of the hour in the file of the history (HIS-4). */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Rows } from './cells.ts';
import { hourOf, SLOTS } from './hour-slots.ts';
import { HOURLY_CELL, HOURLY_CELLS, HOURLY_KINDS } from './hourly-cells.ts';
import type { MarketEnd } from './market-table.ts';
import { accountsIn } from './schema.ts';

const [IV, VOLATILITY] = [HOURLY_KINDS.indexOf('iv'), HOURLY_KINDS.indexOf('volatility')];

export class HourlyTable {
  readonly #db: DatabaseSync;
  readonly #addIv: StatementSync;
  readonly #addVolatility: StatementSync;
  readonly #addEquity: StatementSync;
  readonly #lastEquity: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#addIv = db.prepare('INSERT INTO iv VALUES (?, ?, ?, ?, ?)');
    this.#addVolatility = db.prepare('INSERT INTO volatility VALUES (?, ?, ?, ?)');
    this.#addEquity = db.prepare('INSERT INTO equity VALUES (?, ?, ?)');
    this.#lastEquity = db.prepare('SELECT value FROM equity WHERE account = ? ORDER BY t DESC LIMIT 1');
  }

  /** Skips entries that were written before. */
  write({ cells, texts }: Rows, afterSeq: number): void {
    for (let at = 0; at < cells.length; at += HOURLY_CELLS) {
      const cell = (name: keyof typeof HOURLY_CELL): number => cells[at + HOURLY_CELL[name]]!;
      const [seq, t, kind] = [cell('seq'), cell('t'), cell('kind')];
      if (seq <= afterSeq) continue;
      const [of, value] = [cell('of'), cell('value')];
      if (kind === IV) this.#addIv.run(texts[of]!, cell('expiryTs'), t, seq, value);
      else if (kind === VOLATILITY) this.#addVolatility.run(texts[of]!, t, seq, value);
      else this.#equity(of, t, value);
    }
  }

  /** Starts afresh. */
  clear(): void {
    for (const table of ['iv', 'volatility', 'equity']) this.#db.exec(`DELETE FROM ${table}`);
  }

  /** Puts everything back to how it was after an entry. The turn of an account says which of its rows came later. */
  goOn({ seq, ts }: MarketEnd): void {
    for (const table of ['iv', 'volatility']) this.#db.prepare(`DELETE FROM ${table} WHERE seq > ?`).run(seq);
    const forget = this.#db.prepare('DELETE FROM equity WHERE account = ? AND t > ?');
    for (const account of accountsIn(this.#db, 'equity')) forget.run(account, hourOf(account % SLOTS, ts));
  }

  /** After a start every equity comes again, changed or not. */
  #equity(account: number, t: number, value: number): void {
    const last = this.#lastEquity.get(account)?.value ?? 0;
    if (last !== value) this.#addEquity.run(account, t, value);
  }
}
