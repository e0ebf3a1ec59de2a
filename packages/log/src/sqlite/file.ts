import { isUtf8 } from 'node:buffer';
import { randomUUIDv7 } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { BatchDigest, chainHash } from '../chain.ts';
import { findStampConflict, LogFullError, LogOpenError, type StampConflict } from '../errors.ts';
import type { ChainPoint, Snapshot } from '../log.ts';
import type { OnWarning } from '../warning.ts';
import { explainSqliteError, isFull } from './errors.ts';
import { HeadFile, headFileOf } from './head.ts';
import { type FileLock, lockFile } from './lock.ts';
import { type PackedEntries, unpack } from './packed.ts';
import { openForWriting } from './schema.ts';
import { moveWal, moveWalAtEnd, secureWal } from './start.ts';
import { SqliteTables } from './tables.ts';

/** Limits the entries deleted in one transaction, so that appends need not wait long for it. */
const DROPPED_ENTRIES = 20_000;

/**
 * The log in one SQLite file, synchronous. Anyone may read the file while it is in use, for example with the sqlite3
 * shell or for a backup; a lock file beside it prevents a second writer.
 */
export class SqliteFile {
  readonly tables: SqliteTables;
  readonly #lock: FileLock;
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #insertBatch: StatementSync;
  readonly #headFile: HeadFile;
  #head: ChainPoint;

  /**
   * Opens or creates the file and makes it durable. One-line warnings for the operator go to `onWarning`. Throws
   * `LogOpenError`.
   */
  constructor(given: string, onWarning: OnWarning = () => {}) {
    this.#lock = lockFile(given);
    const { path } = this.#lock;
    let db: DatabaseSync | undefined;
    try {
      const noted = secureWal(path, onWarning);
      db = openForWriting(path);
      moveWal(db, { path, onWarning });
      this.#db = db;
      this.tables = new SqliteTables(db);
      this.#head = this.tables.head();
      this.#insert = db.prepare('INSERT INTO log(seq, ts, kind, body) VALUES (?, ?, ?, ?)');
      this.#insertBatch = db.prepare('INSERT INTO batch VALUES (?, ?, ?, unhex(?))');
      this.#headFile = new HeadFile(headFileOf(path), noted, this.#head);
    } catch (error) {
      db?.close();
      this.#lock.release();
      throw error instanceof LogOpenError ? error : new LogOpenError(explainSqliteError(path, error));
    }
  }

  get head(): ChainPoint {
    return this.#head;
  }

  /**
   * Appends the entries as one batch with one time. Throws `LogFullError`, having changed nothing, and any other error
   * when the disk fails, also where it failed to take the head before.
   */
  commit(packed: PackedEntries): void {
    this.#headFile.assertWorks();
    const { firstSeq } = packed;
    const ts = packed.ts[0]!;
    const lastSeq = firstSeq + packed.ts.length - 1;
    const digest = new BatchDigest();
    let hash = '';
    this.#transaction(() => {
      for (const { seq, kind, body } of unpack(packed)) {
        digest.add(kind, body);
        this.#insert.run(seq, ts, kind, toColumn(body));
      }
      hash = chainHash({ previousHash: this.#head.hash, firstSeq, ts }, digest.finish());
      this.#insertBatch.run(firstSeq, lastSeq, randomUUIDv7(), hash);
    });
    this.#head = { seq: lastSeq, ts, hash };
  }

  /** Records the head beside the file, which an acknowledgement need not wait for. If that fails, the next commit does. */
  noteHead(): void {
    this.#headFile.note(this.#head);
  }

  /** Deletes some batches wholly below `seq`, and returns true if more may remain. */
  dropSome(seq: number): boolean {
    const firstSeq = this.tables.chainStart().seq + 1;
    const last = this.#db
      .prepare(
        `SELECT last_seq, hash FROM batch WHERE first_seq < ? AND last_seq < ? ORDER BY first_seq DESC LIMIT 1`,
      )
      .get(firstSeq + DROPPED_ENTRIES, seq) as { last_seq: number; hash: Uint8Array } | undefined;
    if (last === undefined) return false;
    this.#transaction(() => {
      this.#db
        .prepare('UPDATE chain_start SET first_seq = ?, previous_hash = ?')
        .run(last.last_seq + 1, last.hash);
      this.#db.prepare('DELETE FROM batch WHERE first_seq <= ?').run(last.last_seq);
      this.#db.prepare('DELETE FROM log WHERE seq <= ?').run(last.last_seq);
    });
    return true;
  }

  saveSnapshot({ seq, version, digest, body }: Snapshot): void {
    this.#transaction(() => {
      this.#db.prepare('INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)').run(seq, version, digest, body);
      const newest = 'SELECT seq FROM snapshot ORDER BY seq DESC LIMIT 2';
      this.#db.exec(`DELETE FROM snapshot WHERE seq NOT IN (${newest})`);
    });
  }

  writeStamp(entries: ReadonlyMap<string, string>): StampConflict | undefined {
    const conflict = findStampConflict(this.tables.readStamp(), entries);
    if (conflict) return conflict;
    this.#transaction(() => {
      const insert = this.#db.prepare('INSERT OR IGNORE INTO meta(key, value) VALUES (?, ?)');
      for (const [key, value] of entries) insert.run(key, value);
    });
    return undefined;
  }

  close(): void {
    moveWalAtEnd(this.#db);
    this.#db.close();
    this.#headFile.close();
    this.#lock.release();
  }

  #transaction(change: () => void): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      change();
      this.#db.exec('COMMIT');
    } catch (error) {
      // SQLite has already rolled back after some failures.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw isFull(error) ? new LogFullError() : error;
    }
  }
}

/**
 * A body that looks like a JSON object is stored as TEXT, so that a person can read and query it; everything else is a
 * BLOB. Invalid UTF-8 would not survive as TEXT.
 */
function toColumn(body: Uint8Array): string | Uint8Array {
  const isText = body[0] === 0x7b && isUtf8(body);
  return isText ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8') : body;
}
