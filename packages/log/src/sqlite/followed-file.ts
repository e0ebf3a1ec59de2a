import { realpathSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { LogArchivedAheadError, LogDivergedError, LogOpenError, LogReplacedError } from '../errors.ts';
import type { ChainPoint } from '../log.ts';
import { explainSqliteError } from './errors.ts';
import { headFileOf, readHead } from './head.ts';
import { openUnchanged } from './schema.ts';
import { refuseOtherEnd } from './start.ts';
import { SqliteTables } from './tables.ts';
import { walOf } from './wal.ts';

/**
 * A log file that another process writes, synchronous. Every statement is a transaction of its own that reads and ends,
 * so that the writer's WAL can be moved into the file between any two of them.
 */
export class FollowedFile {
  readonly tables: SqliteTables;
  /** The end of the log at the opening. */
  readonly head: ChainPoint;
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #identity: string;

  /** Throws `LogOpenError`. */
  constructor(given: string) {
    this.#path = placeOf(given);
    let db: DatabaseSync | undefined;
    try {
      // In this order, because a writer records a head only once it is in the tables.
      const noted = readHead(headFileOf(this.#path));
      db = openUnchanged(this.#path);
      if (db === undefined) throw notYet(given);
      this.#db = db;
      this.tables = new SqliteTables(db);
      this.head = this.tables.head();
      if (typeof noted !== 'string')
        refuseOtherEnd({ path: this.#path, tables: this.tables, noted }, this.head.seq);
      this.#identity = identityOf(this.#path);
    } catch (error) {
      db?.close();
      throw error instanceof LogOpenError ? error : new LogOpenError(explainSqliteError(given, error));
    }
  }

  /**
   * The end of the log now, which continues what was delivered. Throws `LogReplacedError` where the file is not in its
   * place, `LogDivergedError` where the log in it is another, and `LogArchivedAheadError` where it begins later.
   */
  headAfter(delivered: ChainPoint): ChainPoint {
    if (identityOf(this.#path) !== this.#identity) throw new LogReplacedError(this.#path);
    const head = this.tables.head();
    const known = head.seq === delivered.seq ? head.hash : this.tables.hashAt(delivered.seq);
    if (head.seq >= delivered.seq && known === undefined)
      throw new LogArchivedAheadError({ seq: delivered.seq + 1 });
    if (known !== delivered.hash) throw new LogDivergedError(delivered.seq);
    return head;
  }

  close(): void {
    this.#db.close();
  }
}

function placeOf(given: string): string {
  const found = statSync(given, { throwIfNoEntry: false });
  if (found === undefined) throw notYet(given);
  if (!found.isFile()) throw new LogOpenError(`${given} is not a file; name the file of a log`);
  return realpathSync(given);
}

function notYet(given: string): LogOpenError {
  return new LogOpenError(
    `${given} holds no log yet; start the exchange that writes it, or correct VENUE_LOG`,
  );
}

/** The WAL belongs to the file: while any connection is open, nobody but a person replaces either of them. */
function identityOf(path: string): string {
  return [path, walOf(path)].map(inodeOf).join();
}

function inodeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'missing' : `${found.dev}:${found.ino}`;
}
