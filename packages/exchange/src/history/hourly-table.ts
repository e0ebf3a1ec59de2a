/** Samples of the hour in the file of the history (HIS-4). */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { hourOf, SLOTS } from './hour-slots.ts';
import type { MarketEnd } from './market-table.ts';
import { type BatchRows, LAYOUTS } from './rows.ts';
import { accountsIn } from './schema.ts';

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
  write(batch: BatchRows, afterSeq: number): void {
    for (const { seq, symbol, expiryTs, t, value } of LAYOUTS.ivs.read(batch.ivs))
      if (seq > afterSeq) this.#addIv.run(symbol, expiryTs, t, seq, value);
    for (const { seq, symbol, t, value } of LAYOUTS.volatilities.read(batch.volatilities))
      if (seq > afterSeq) this.#addVolatility.run(symbol, t, seq, value);
    for (const { seq, account, t, value } of LAYOUTS.equities.read(batch.equities))
      if (seq > afterSeq) this.#equity(account, t, value);
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
