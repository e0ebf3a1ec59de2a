/** Opens, locks and puts aside the file of the history. */

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '@venue/log/errors';

/** "VENH". */
const APPLICATION_ID = 0x56454e48;
const SCHEMA_VERSION = 6;
/** Someone's shell may hold the file for a moment. */
const BUSY_TIMEOUT_MS = 5_000;
const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export const IN_MEMORY = ':memory:';

/**
 * Amounts are in micros, times in Unix ms, `balance` is the cash after the movement. Rows of an account are stored
 * together, as they are read. A batch is one transaction's rows; it helps find the rows at a time or around a fill.
 *
 * An order has its total quantity, what of it is filled, and as digits the sum of price times quantity over its fills,
 * which is beyond 64 bits; that is null if fills came before the history. It is open while it has no cause.
 * A combo has legs; its series and side are those of the first, its price is its net, and what its sold legs brought in is
 * subtracted from its value.
 *
 * A settlement has the price that an expiry of an underlying was settled at, in micros, the spread of its sources in
 * millionths of a basis point, and those sources as JSON, in micros too. `expiry_ts` is in seconds.
 *
 * Samples of the hour have `t` in hours. Of implied volatility `value` is in millionths of 1.00, of the volatility index
 * in millionths of a percent, of an account's equity in micros, where it differs from the row before.
 *
 * A candle is of a number that `candleOf` makes; its span and `t` are in minutes. All single spots after `spots_after` are
 * kept.
 */
const SCHEMA = `
  CREATE TABLE movement(
    account INTEGER NOT NULL, seq INTEGER NOT NULL, n INTEGER NOT NULL, ts INTEGER NOT NULL, kind TEXT NOT NULL,
    cash INTEGER NOT NULL, fee INTEGER NOT NULL, balance INTEGER NOT NULL,
    fill_id INTEGER, reference INTEGER, sid INTEGER, side TEXT, price INTEGER, qty INTEGER, realized INTEGER,
    taker INTEGER, text TEXT, PRIMARY KEY(account, seq, n)) STRICT, WITHOUT ROWID;
  CREATE TABLE orders(
    account INTEGER NOT NULL, id INTEGER NOT NULL, ts INTEGER NOT NULL, client_id TEXT, sid INTEGER NOT NULL,
    symbol TEXT NOT NULL, side TEXT NOT NULL, price INTEGER, qty INTEGER NOT NULL, tif TEXT NOT NULL,
    expires_at INTEGER, flag TEXT, filled INTEGER NOT NULL, value TEXT, cause TEXT, closed_at INTEGER,
    legs TEXT,
    PRIMARY KEY(account, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX orders_open ON orders(account, id) WHERE cause IS NULL;
  CREATE INDEX orders_by_symbol ON orders(account, symbol, id);
  CREATE INDEX orders_by_client_id ON orders(account, client_id, id) WHERE client_id IS NOT NULL;
  CREATE TABLE series(sid INTEGER PRIMARY KEY, series_id TEXT NOT NULL, symbol TEXT NOT NULL) STRICT;
  CREATE TABLE batch(last_seq INTEGER PRIMARY KEY, last_ts INTEGER NOT NULL, last_fill INTEGER NOT NULL) STRICT;
  CREATE INDEX series_by_id ON series(series_id, sid);
  CREATE TABLE print(
    id INTEGER PRIMARY KEY, ts INTEGER NOT NULL, sid INTEGER NOT NULL, symbol TEXT NOT NULL, buy INTEGER NOT NULL,
    price INTEGER NOT NULL, qty INTEGER NOT NULL, self INTEGER NOT NULL) STRICT;
  CREATE INDEX print_by_series ON print(sid, id);
  CREATE INDEX print_by_symbol ON print(symbol, id);
  CREATE TABLE underlying(id INTEGER PRIMARY KEY, symbol TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE spot(
    seq INTEGER NOT NULL, n INTEGER NOT NULL, underlying INTEGER NOT NULL, ts INTEGER NOT NULL, price INTEGER NOT NULL,
    PRIMARY KEY(seq, n)) STRICT, WITHOUT ROWID;
  CREATE TABLE candle(
    of INTEGER NOT NULL, span INTEGER NOT NULL, t INTEGER NOT NULL, o INTEGER NOT NULL, h INTEGER NOT NULL,
    l INTEGER NOT NULL, c INTEGER NOT NULL, v INTEGER, PRIMARY KEY(of, span, t)) STRICT, WITHOUT ROWID;
  CREATE TABLE settlement(
    symbol TEXT NOT NULL, expiry_ts INTEGER NOT NULL, seq INTEGER NOT NULL, decided_at INTEGER NOT NULL,
    price INTEGER NOT NULL, by TEXT NOT NULL, dispersion INTEGER, sources TEXT NOT NULL,
    PRIMARY KEY(symbol, expiry_ts)) STRICT, WITHOUT ROWID;
  CREATE TABLE iv(
    symbol TEXT NOT NULL, expiry_ts INTEGER NOT NULL, t INTEGER NOT NULL, seq INTEGER NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY(symbol, expiry_ts, t)) STRICT, WITHOUT ROWID;
  CREATE TABLE volatility(
    symbol TEXT NOT NULL, t INTEGER NOT NULL, seq INTEGER NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY(symbol, t)) STRICT, WITHOUT ROWID;
  CREATE TABLE equity(
    account INTEGER NOT NULL, t INTEGER NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY(account, t)) STRICT, WITHOUT ROWID;
  CREATE INDEX settlement_by_time ON settlement(decided_at, symbol);
  CREATE INDEX batch_by_ts ON batch(last_ts);
  CREATE INDEX batch_by_fill ON batch(last_fill);
  CREATE TABLE opening(account INTEGER PRIMARY KEY, balance INTEGER NOT NULL) STRICT;
  CREATE TABLE anchor(seq INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;
  CREATE TABLE progress(
    seq INTEGER NOT NULL, ts INTEGER NOT NULL, complete_from INTEGER NOT NULL, spots_after INTEGER NOT NULL) STRICT;
  INSERT INTO progress VALUES (0, 0, 0, -1);
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * A power cut may lose the newest rows, because the log has everything: only anchors are flushed to disk. The rows of
 * many accounts touch many pages, so more pages are cached, and checkpoints are rarer, than by default.
 */
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA cache_size = -32768;
`;

/** The history cannot be kept in the file. The message is one sentence that says what to do. */
export class HistoryOpenError extends Error {
  override readonly name = 'HistoryOpenError';
}

/** The content of the file is unusable, so it was put aside. The message is a sentence that names both files. */
export class HistoryDamagedError extends Error {
  override readonly name = 'HistoryDamagedError';
}

/** The content of the file contradicts the log. The message continues a sentence that starts with the file's name. */
export class WrongContentError extends Error {
  override readonly name = 'WrongContentError';
}

/** The reason given where a file cannot be taken back to a snapshot. */
export const TOO_FAR = 'goes too far beyond the newest snapshot to be taken back to it';

/** Why the content of the file is unusable, worded for the log; null for any other error. */
export function wrongWith(error: unknown): string | null {
  if (error instanceof WrongContentError) return error.message;
  const code = codeOf(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB ? `is damaged (${messageOf(error)})` : null;
}

/** Opens or creates the file. Throws if its content or its location is unusable. */
export function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    const isNew = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()!.n === 0;
    if (!isNew) checkFormat(db, path);
    db.exec(SETTINGS);
    if (isNew) db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    else checkTables(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkFormat(db: DatabaseSync, path: string): void {
  if (db.prepare('PRAGMA application_id').get()!.application_id !== APPLICATION_ID)
    throw new HistoryOpenError(`${path} is a database of something else; choose another VENUE_HISTORY`);
  if (db.prepare('PRAGMA user_version').get()!.user_version !== SCHEMA_VERSION)
    throw new WrongContentError('is of another version');
}

const TABLES = [
  ...['movement', 'orders', 'series', 'batch', 'opening', 'anchor', 'progress'],
  ...['print', 'underlying', 'spot', 'candle', 'settlement'],
  ...['iv', 'volatility', 'equity'],
];

function checkTables(db: DatabaseSync): void {
  try {
    for (const table of TABLES) db.prepare(`SELECT * FROM ${table}`);
  } catch (error) {
    throw codeOf(error) === SQLITE_ERROR ? new WrongContentError(`is damaged (${messageOf(error)})`) : error;
  }
  if (db.prepare('SELECT count(*) AS n FROM progress').get()!.n !== 1)
    throw new WrongContentError('is damaged (it does not say how far it goes)');
}

/** The accounts that have rows in a table, whose rows are stored account by account. */
export function* accountsIn(db: DatabaseSync, table: 'movement' | 'orders' | 'equity'): Generator<number> {
  const next = db.prepare(`SELECT min(account) AS account FROM ${table} WHERE account > ?`);
  for (let account = -1; ; ) {
    const found = next.get(account)!.account;
    if (found === null) return;
    account = Number(found);
    yield account;
  }
}

/** Renames a closed file to make room for a new one, and returns its new name. A file in memory simply goes. */
export function putAside(path: string): string {
  if (path === IN_MEMORY) return path;
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  let n = 1;
  while (existsSync(`${path}.old-${n}`)) n += 1;
  renameSync(path, `${path}.old-${n}`);
  return `${path}.old-${n}`;
}

export interface FileLock {
  release(): void;
}

/**
 * Creates the folder and keeps other nodes from writing the file: holds a transaction on an empty file beside it
 * until the process ends. Readers are unaffected. Throws `HistoryOpenError`.
 */
export function lockFile(path: string): FileLock {
  if (path === IN_MEMORY) return { release() {} };
  try {
    const folder = dirname(resolve(path));
    // Creates only the last folder, so that a mistyped path is not created.
    if (!existsSync(folder)) mkdirSync(folder);
    const db = new DatabaseSync(`${path}-lock`, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw error;
    }
    return { release: () => db.close() };
  } catch (error) {
    throw refusal(path, error);
  }
}

/** Why the history cannot be kept in the file, and what to do. */
export function refusal(path: string, error: unknown): HistoryOpenError {
  if (error instanceof HistoryOpenError) return error;
  if (codeOf(error) === SQLITE_BUSY)
    return new HistoryOpenError(
      `${path} is in use by another process; give each node a VENUE_HISTORY of its own`,
    );
  return new HistoryOpenError(
    `${path} cannot be written (${messageOf(error)}); check the disk, or choose another VENUE_HISTORY`,
  );
}

/** An extended result code carries the primary one in its low byte. */
function codeOf(error: unknown): number {
  return Number((error as { errcode?: number }).errcode) & 0xff;
}
