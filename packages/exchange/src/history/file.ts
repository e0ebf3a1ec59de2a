/**
 * Every cash movement and every order of every trader, in one SQLite file, synchronously. It has one writer; anyone may
 * read it meanwhile.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HistoryBatch } from './batch.ts';
import { HourlyTable } from './hourly-table.ts';
import type { Rows } from './layout.ts';
import { type MarketEnd, MarketTable } from './market-table.ts';
import { type LaterFill, OrderTable } from './order-table.ts';
import { HistoryReads } from './reads.ts';
import { LAYOUTS, type StoredRow } from './rows.ts';
import {
  accountsIn,
  type FileLock,
  HistoryDamagedError,
  lockFile,
  openDatabase,
  putAside,
  refusal,
  WrongContentError,
  wrongWith,
} from './schema.ts';
import type { SeriesName } from './series-names.ts';
import { SettlementTable } from './settlement-table.ts';
import type { Standing } from './standing.ts';

/** An entry up to which the history is flushed to disk, with the hash of the log batch that holds the entry. */
export interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

/** The content of a file when it was opened. */
export interface HistoryOpening {
  /** Newest first. */
  readonly anchors: readonly Anchor[];
  /** The fault of the previous file and its new place; null if it had none. */
  readonly putAside: string | null;
}

/** Each trader's cash after an entry. */
export type Balances = readonly (readonly [account: number, micros: number])[];

/** The starting point of the history. */
export type HistoryStart = MarketEnd & HistoryBeginning;

type HistoryBeginning =
  /** Continues the file after the entry and drops what came later. Balances and open orders at the entry must match. */
  | {
      readonly kind: 'go on';
      readonly balances: Balances;
      readonly standing: Standing;
    }
  /** Starts afresh from the balances and the open orders after the entry. */
  | {
      readonly kind: 'anew';
      readonly completeFromMs: number;
      readonly balances: Balances;
      readonly standing: Standing;
      /** Settlement prices that the state has. */
      readonly settlements: Rows;
      /** Why the existing file is put aside, as worded in the log; null if it is overwritten. */
      readonly wrong: string | null;
    };

const ANCHORS_KEPT = 64;

export class HistoryFile {
  readonly opening: HistoryOpening;
  readonly #path: string;
  readonly #lock: FileLock;
  #tables: Tables;
  /** Balances by account, as far as they have been read. */
  #balances = new Map<number, number>();
  #seq = 0;

  /** Opens or creates the file; `:memory:` lasts as long as the process. Throws `HistoryOpenError`. */
  constructor(path: string) {
    this.#path = path;
    this.#lock = lockFile(path);
    try {
      const { tables, anchors, putAside } = openUsable(path);
      this.#tables = tables;
      this.opening = { anchors, putAside };
    } catch (error) {
      this.#lock.release();
      throw refusal(path, error);
    }
  }

  get reads(): HistoryReads {
    return this.#tables.reads;
  }

  /**
   * Runs an operation on the file. If the content turns out to be unusable, puts the file aside and throws
   * `HistoryDamagedError`.
   */
  attempt<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const wrong = wrongWith(error);
      throw wrong === null ? error : new HistoryDamagedError(this.#putAside(wrong));
    }
  }

  /**
   * Call before anything is written, and again after a file was put aside. Returns what it put aside, if anything.
   * Throws `HistoryOpenError`, or the error in its content.
   */
  begin(start: HistoryStart): string | null {
    try {
      const notice = start.kind === 'anew' && start.wrong !== null ? this.#putAside(start.wrong) : null;
      if (!this.#tables.db.isOpen) this.#tables = new Tables(openDatabase(this.#path));
      this.#transaction(() => {
        if (start.kind === 'go on') this.#goOn(start);
        else this.#clear(start);
        this.#tables.setProgress.run(start.seq, start.ts);
      });
      this.#seq = start.seq;
      return notice;
    } catch (error) {
      throw wrongWith(error) === null ? refusal(this.#path, error) : error;
    }
  }

  /** Skips entries that were written before, as a replay repeats them. */
  write(batch: HistoryBatch): undefined {
    const { lastSeq, lastTs, lastFillId } = batch;
    if (lastSeq <= this.#seq) return;
    this.#transaction(() => {
      this.#addSeries(batch.series);
      const { movements } = batch;
      for (const row of LAYOUTS.movements.read(movements)) if (row.seq > this.#seq) this.#add(row);
      if (movements.cells.length > 0) this.#tables.addBatch.run(lastSeq, lastTs, lastFillId);
      this.#tables.orders.write(batch, this.#seq);
      this.#tables.market.write(batch, this.#seq);
      this.#tables.settlements.write(batch.settlements, this.#seq);
      this.#tables.hourly.write(batch, this.#seq);
      this.#tables.setProgress.run(lastSeq, lastTs);
    });
    this.#seq = lastSeq;
  }

  /** Flushes everything up to an entry to disk, and records which log it belongs to. */
  anchor({ seq, hash }: Anchor): undefined {
    const { db } = this.#tables;
    if (seq > this.#seq) throw new Error(`the history ends with entry ${this.#seq}, before entry ${seq}`);
    db.exec('PRAGMA synchronous = FULL');
    try {
      this.#transaction(() => {
        db.prepare('INSERT OR REPLACE INTO anchor VALUES (?, ?)').run(seq, hash);
        const newest = `SELECT seq FROM anchor ORDER BY seq DESC LIMIT ${ANCHORS_KEPT}`;
        db.exec(`DELETE FROM anchor WHERE seq NOT IN (${newest})`);
      });
    } finally {
      db.exec('PRAGMA synchronous = NORMAL');
    }
  }

  close(): undefined {
    if (this.#tables.db.isOpen) this.#tables.db.close();
    this.#lock.release();
  }

  #addSeries(series: readonly SeriesName[]): void {
    for (const [sid, seriesId, symbol] of series) this.#tables.addSeries.run(sid, seriesId, symbol);
  }

  #add(row: StoredRow<'movements'>): void {
    const { account, seq, cash, fee } = row;
    const balance = this.#balanceOf(account) + cash - fee;
    this.#balances.set(account, balance);
    this.#tables.addMovement.run(
      account,
      seq,
      row.n,
      row.ts,
      row.kind,
      cash,
      fee,
      balance,
      row.fillId,
      row.reference,
      row.sid,
      row.side,
      row.price,
      row.qty,
      row.realized,
      row.taker,
      row.text,
    );
  }

  #balanceOf(account: number): number {
    return this.#balances.get(account) ?? this.#tables.reads.balance(account);
  }

  #putAside(wrong: string): string {
    if (this.#tables.db.isOpen) this.#tables.db.close();
    return putAsideAs(this.#path, wrong);
  }

  #clear({ completeFromMs, balances, standing, settlements }: Extract<HistoryStart, { kind: 'anew' }>): void {
    const { db } = this.#tables;
    for (const table of ['movement', 'series', 'batch', 'opening', 'anchor']) db.exec(`DELETE FROM ${table}`);
    db.prepare('UPDATE progress SET complete_from = ?').run(completeFromMs);
    const add = db.prepare('INSERT INTO opening VALUES (?, ?)');
    for (const [account, micros] of balances) add.run(account, micros);
    this.#addSeries(standing.series);
    this.#tables.orders.clear(standing);
    this.#tables.market.clear();
    this.#tables.settlements.clear(settlements);
    this.#tables.hourly.clear();
  }

  #goOn(start: Extract<HistoryStart, { kind: 'go on' }>): void {
    const { seq, balances, standing } = start;
    this.#tables.orders.goOn(standing, this.#fillsAfter(seq));
    this.#forgetAfter(start);
    for (const [account, micros] of balances) {
      const apart = this.#tables.reads.balance(account) - micros;
      if (apart !== 0)
        throw new WrongContentError(
          `differs from the log (by ${apart} micros in the cash of account ${account} after entry ${seq})`,
        );
    }
  }

  #forgetAfter(end: MarketEnd): void {
    const { seq } = end;
    const { db } = this.#tables;
    db.prepare('DELETE FROM anchor WHERE seq > ?').run(seq);
    db.prepare('DELETE FROM batch WHERE last_seq > ?').run(seq);
    if (!this.#extendsPast(seq)) return;
    this.#tables.market.goOn(end);
    this.#tables.settlements.forgetAfter(seq);
    this.#tables.hourly.goOn(end);
    const forget = db.prepare('DELETE FROM movement WHERE account = ? AND seq > ?');
    for (const account of accountsIn(db, 'movement')) forget.run(account, seq);
  }

  *#fillsAfter(seq: number): Generator<LaterFill> {
    if (!this.#extendsPast(seq)) return;
    const { db } = this.#tables;
    const fills = db.prepare(
      `SELECT reference AS orderId, price, qty FROM movement WHERE account = ? AND seq > ? AND kind = 'trade'`,
    );
    for (const account of accountsIn(db, 'movement')) {
      yield* fills.iterate(account, seq) as Iterable<unknown> as Iterable<LaterFill>;
    }
  }

  #extendsPast(seq: number): boolean {
    return Number(this.#tables.db.prepare('SELECT seq FROM progress').get()!.seq) > seq;
  }

  #transaction(act: () => void): void {
    const { db } = this.#tables;
    db.exec('BEGIN IMMEDIATE');
    try {
      act();
      db.exec('COMMIT');
    } catch (error) {
      this.#balances = new Map();
      this.#tables.market.reset();
      // SQLite itself has rolled back after a full disk.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
}

interface Opened {
  readonly tables: Tables;
  readonly anchors: readonly Anchor[];
  readonly putAside: string | null;
}

/** Opens the file. If its content is unusable, replaces it with a new one, because the log has everything. */
function openUsable(path: string): Opened {
  try {
    return { ...openTables(path), putAside: null };
  } catch (error) {
    const wrong = wrongWith(error);
    if (wrong === null) throw error;
    const putAside = putAsideAs(path, wrong);
    return { ...openTables(path), putAside };
  }
}

function openTables(path: string): Omit<Opened, 'putAside'> {
  const db = openDatabase(path);
  try {
    const anchors = db.prepare('SELECT seq, hash FROM anchor ORDER BY seq DESC').all() as unknown as Anchor[];
    return { tables: new Tables(db), anchors };
  } catch (error) {
    db.close();
    throw error;
  }
}

function putAsideAs(path: string, wrong: string): string {
  return `${path} ${wrong} and was put aside as ${putAside(path)}`;
}

/** An open database with its prepared statements. */
class Tables {
  readonly db: DatabaseSync;
  readonly reads: HistoryReads;
  readonly orders: OrderTable;
  readonly market: MarketTable;
  readonly settlements: SettlementTable;
  readonly hourly: HourlyTable;
  readonly addMovement: StatementSync;
  readonly addSeries: StatementSync;
  readonly addBatch: StatementSync;
  readonly setProgress: StatementSync;

  constructor(db: DatabaseSync) {
    this.db = db;
    this.reads = new HistoryReads(db);
    this.orders = new OrderTable(db);
    this.market = new MarketTable(db);
    this.settlements = new SettlementTable(db);
    this.hourly = new HourlyTable(db);
    this.addMovement = db.prepare(`INSERT INTO movement VALUES (${Array(17).fill('?').join(', ')})`);
    this.addSeries = db.prepare('INSERT OR IGNORE INTO series VALUES (?, ?, ?)');
    this.addBatch = db.prepare('INSERT INTO batch VALUES (?, ?, ?)');
    this.setProgress = db.prepare('UPDATE progress SET seq = ?, ts = ?');
  }
}
