import { isUtf8 } from 'node:buffer';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { findStampConflict, LogOpenError, type StampConflict } from './errors.ts';
import type { Head, Snapshot } from './log.ts';
import { EntryPacker, type PackedEntries, unpack } from './packed.ts';
import { explainSqliteError, type FileLock, lockFile } from './sqlite-lock.ts';

/** "VENU", which tells our files from other SQLite databases. */
const APPLICATION_ID = 0x56454e55;
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE log(seq INTEGER PRIMARY KEY, ts INTEGER NOT NULL, kind TEXT NOT NULL, body ANY NOT NULL) STRICT;
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE snapshot(seq INTEGER PRIMARY KEY, version INTEGER NOT NULL, digest TEXT NOT NULL, body BLOB NOT NULL) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** A person's shell may hold the file for a moment. */
const BUSY_TIMEOUT_MS = 5000;

const PAGE_ENTRIES_MAX = 4096;
const PAGE_BYTES_MAX = 1024 * 1024;

/**
 * The log in one SQLite file, synchronous. Anyone may read the file while it is in use, with the sqlite3 shell or
 * for a backup; a lock file beside it keeps a second process from writing.
 */
export class SqliteFile {
  readonly #lock: FileLock;
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;

  /** Opens or creates the file. Throws `LogOpenError`. */
  constructor(path: string) {
    this.#lock = lockFile(path);
    try {
      this.#db = openDatabase(path);
    } catch (error) {
      this.#lock.release();
      throw error instanceof LogOpenError ? error : new LogOpenError(explainSqliteError(path, error));
    }
    this.#insert = this.#db.prepare('INSERT INTO log(seq, ts, kind, body) VALUES (?, ?, ?, ?)');
    this.#select = this.#db.prepare(
      'SELECT seq, ts, kind, body FROM log WHERE seq BETWEEN ? AND ? ORDER BY seq',
    );
    this.#select.setReturnArrays(true);
  }

  head(): Head {
    const row = this.#db.prepare('SELECT seq, ts FROM log ORDER BY seq DESC LIMIT 1').get();
    return row ? { seq: Number(row.seq), ts: Number(row.ts) } : { seq: 0, ts: 0 };
  }

  commit(packed: PackedEntries): void {
    this.#transaction(() => {
      for (const { seq, ts, kind, body } of unpack(packed)) this.#insert.run(seq, ts, kind, toColumn(body));
    });
  }

  /** Entries from `fromSeq` on, none beyond `toSeq`. Throws if one of them is not there. */
  read(fromSeq: number, toSeq: number): PackedEntries {
    const lastSeq = Math.min(toSeq, fromSeq + PAGE_ENTRIES_MAX - 1);
    const page = new EntryPacker(fromSeq, PAGE_BYTES_MAX);
    const rows = this.#select.iterate(fromSeq, lastSeq) as unknown as Iterable<LogRow>;
    for (const [seq, ts, kind, body] of rows) {
      if (seq !== fromSeq + page.count) break;
      page.add(ts, kind, body);
      if (page.sizeBytes >= PAGE_BYTES_MAX) return page.finish();
    }
    const missing = fromSeq + page.count;
    if (missing <= lastSeq) throw new Error(`entry ${missing} is missing from the log`);
    return page.finish();
  }

  saveSnapshot({ seq, version, digest, body }: Snapshot): void {
    this.#transaction(() => {
      this.#db.prepare('INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?)').run(seq, version, digest, body);
      const newest = 'SELECT seq FROM snapshot ORDER BY seq DESC LIMIT 2';
      this.#db.exec(`DELETE FROM snapshot WHERE seq NOT IN (${newest})`);
    });
  }

  loadSnapshots(): Snapshot[] {
    const rows = this.#db.prepare('SELECT seq, version, digest, body FROM snapshot ORDER BY seq DESC').all();
    return rows as unknown as Snapshot[];
  }

  readStamp(): Map<string, string> {
    const rows = this.#db.prepare('SELECT key, value FROM meta ORDER BY key').all();
    return new Map(rows.map(({ key, value }) => [String(key), String(value)]));
  }

  writeStamp(entries: ReadonlyMap<string, string>): StampConflict | undefined {
    const conflict = findStampConflict(this.readStamp(), entries);
    if (conflict) return conflict;
    this.#transaction(() => {
      const insert = this.#db.prepare('INSERT OR IGNORE INTO meta(key, value) VALUES (?, ?)');
      for (const [key, value] of entries) insert.run(key, value);
    });
    return undefined;
  }

  close(): void {
    this.#db.close();
    this.#lock.release();
  }

  #transaction(change: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      change();
      this.#db.exec('COMMIT');
    } catch (error) {
      // SQLite has rolled some failures back by itself.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}

type LogRow = [seq: number, ts: number, kind: string, body: string | Uint8Array];

/**
 * What begins like a JSON object is stored as TEXT, so that a person can read and query it; everything else is a
 * BLOB. Invalid UTF-8 would not come back byte for byte as TEXT.
 */
function toColumn(body: Uint8Array): string | Uint8Array {
  const isText = body[0] === 0x7b && isUtf8(body);
  return isText ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8') : body;
}

function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    checkFormat(db, path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864;');
    if (userVersion(db) === 0) db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkFormat(db: DatabaseSync, path: string): void {
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()!.n;
  if (tables === 0) return;
  if (db.prepare('PRAGMA application_id').get()!.application_id !== APPLICATION_ID) {
    throw new LogOpenError(`${path} is a database of another program; choose another path for the log`);
  }
  const version = userVersion(db);
  if (version > SCHEMA_VERSION) {
    throw new LogOpenError(
      `${path} was written by a newer version of the exchange (schema ${version}, this one knows ${SCHEMA_VERSION}); upgrade to open it`,
    );
  }
}

function userVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()!.user_version);
}
