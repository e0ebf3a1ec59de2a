import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { LogOpenError } from '../errors.ts';
import { explainSqliteError, isRefusedAccess } from './errors.ts';

/** "VENU", which distinguishes our files from other SQLite databases. */
const APPLICATION_ID = 0x56454e55;
const SCHEMA_VERSION = 2;

const SCHEMA = `
  CREATE TABLE log(seq INTEGER PRIMARY KEY, ts INTEGER NOT NULL, kind TEXT NOT NULL, body ANY NOT NULL) STRICT;
  CREATE TABLE batch(first_seq INTEGER PRIMARY KEY, last_seq INTEGER NOT NULL, id TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
  CREATE TABLE chain_start(first_seq INTEGER NOT NULL, previous_hash BLOB NOT NULL) STRICT;
  CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE snapshot(seq INTEGER PRIMARY KEY, version INTEGER NOT NULL, digest TEXT NOT NULL, body BLOB NOT NULL) STRICT;
  INSERT INTO chain_start VALUES (1, zeroblob(32));
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Someone's sqlite3 shell may lock the file briefly. */
export const BUSY_TIMEOUT_MS = 5000;

/** Opens or creates the file for its only writer. Throws `LogOpenError`, or SQLite's error. */
export function openForWriting(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  return closingOnError(db, () => {
    const isNew = isEmpty(db);
    if (!isNew) checkFormat(db, path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864;');
    if (isNew) db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    return db;
  });
}

/**
 * Opens a file for reading, whether or not a writer has it open. Throws `LogOpenError`, whose message is one line for
 * the operator.
 */
export function openForReading(path: string): DatabaseSync {
  if (!existsSync(path)) throw new LogOpenError(`${path} does not exist; name the file of a log`);
  if (!statSync(path).isFile()) throw new LogOpenError(`${path} is not a file; name the file of a log`);
  try {
    return readable(path, path);
  } catch (error) {
    // The file has no writer, and this user may not write its folder, so SQLite cannot create its index there.
    if (isRefusedAccess(error) && !existsSync(`${path}-wal`)) {
      return readable(`${pathToFileURL(path).href}?immutable=1`, path);
    }
    throw error instanceof LogOpenError ? error : new LogOpenError(explainSqliteError(path, error));
  }
}

function readable(location: string, path: string): DatabaseSync {
  const db = openUnchanged(path, location);
  if (db === undefined) throw new LogOpenError(`${path} is no log of the exchange; name the file of one`);
  return db;
}

/** A connection that changes nothing, not even when it closes; undefined if the file is still empty. */
export function openUnchanged(path: string, location = path): DatabaseSync | undefined {
  const db = new DatabaseSync(location, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  return closingOnError(db, () => {
    if (!isEmpty(db)) {
      checkFormat(db, path);
      return db;
    }
    db.close();
    return undefined;
  });
}

function closingOnError<T>(db: DatabaseSync, prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    db.close();
    throw error;
  }
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()!.n === 0;
}

function checkFormat(db: DatabaseSync, path: string): void {
  if (db.prepare('PRAGMA application_id').get()!.application_id !== APPLICATION_ID) {
    throw new LogOpenError(`${path} is a database of another program; choose another path for the log`);
  }
  const version = Number(db.prepare('PRAGMA user_version').get()!.user_version);
  if (version > SCHEMA_VERSION) {
    throw new LogOpenError(
      `${path} was written by a newer version of the exchange (schema ${version}, this one knows ${SCHEMA_VERSION}); upgrade to open it`,
    );
  }
  if (version < SCHEMA_VERSION) {
    throw new LogOpenError(
      `${path} was written by an older version of the exchange (schema ${version}, this one reads ${SCHEMA_VERSION}); start afresh with another path`,
    );
  }
}
