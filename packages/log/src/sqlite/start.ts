/** Before anything is served from a log file, checks that it has not lost its end and makes it durable. */

import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { CHAIN_ORIGIN } from '../chain.ts';
import { LogOpenError } from '../errors.ts';
import type { OnWarning } from '../warning.ts';
import { type DurableHead, type FoundHead, headFileOf, readHead } from './head.ts';
import { BUSY_TIMEOUT_MS, openUnchanged } from './schema.ts';
import { SqliteTables } from './tables.ts';
import { isWalDamaged, rewriteWal, walOf } from './wal.ts';

/**
 * Makes the WAL durable as it reads now, and returns the recorded head. Throws `LogOpenError`, having changed nothing,
 * if acknowledged entries are missing.
 */
export function secureWal(path: string, onWarning: OnWarning): FoundHead {
  const noted = readHead(headFileOf(path));
  // A start was interrupted while creating the file; SQLite rolls that back when it opens the file for writing.
  if (noted === 'missing' && existsSync(`${path}-journal`)) return noted;
  // Read-only, because closing a writable connection would move the WAL into the file, which has not been checked yet.
  using db = existsSync(path) ? openUnchanged(path) : undefined;
  // From the first read on, nobody else can move it either.
  db?.exec('BEGIN');
  const tables = db && new SqliteTables(db);
  if (isWalDamaged(walOf(path))) throw damagedWal(path, tables);
  const { seq } = tables?.head() ?? CHAIN_ORIGIN;
  if (typeof noted !== 'string') refuseOtherEnd({ path, tables, noted }, seq);
  else if (seq > 0)
    onWarning(
      `${headFileOf(path)} is ${noted}, so nothing tells whether entries behind entry ${seq} are missing; it is rebuilt`,
    );
  rewriteWal(walOf(path));
  return noted;
}

function damagedWal(path: string, tables: SqliteTables | undefined): LogOpenError {
  let place = 'nothing in it can be read';
  try {
    const { seq } = tables?.head() ?? CHAIN_ORIGIN;
    place = `entry ${seq + 1} cannot be read`;
  } catch {
    // The part before the damage is not a valid database.
  }
  return new LogOpenError(
    `${walOf(path)} is damaged: ${place}, and commits stand behind it; restore the log from a backup`,
  );
}

export interface Ending {
  readonly path: string;
  /** Undefined while nothing has been written. */
  readonly tables: SqliteTables | undefined;
  readonly noted: DurableHead;
}

/** Throws `LogOpenError` if the log ends before the recorded head, or has another entry there. */
export function refuseOtherEnd({ path, tables, noted }: Ending, seq: number): void {
  const remedy = `restore the log from a backup, or remove ${headFileOf(path)} to go on`;
  if (seq < noted.seq)
    throw new LogOpenError(
      `the log ends with entry ${seq}, and entry ${noted.seq} was durable: its end is missing; ${remedy} without it`,
    );
  const hash = tables?.hashAt(noted.seq);
  if (hash !== undefined && hash !== noted.hash)
    throw new LogOpenError(
      `entry ${noted.seq} is another than the one that was durable: this is not the same log; ${remedy} with this one`,
    );
}

const READERS_RETRY_MS = 500;
const READERS_LIMIT_MS = 30_000;

export interface WalMove {
  readonly path: string;
  readonly onWarning: OnWarning;
  /** The time to wait for readers of the file. */
  readonly limitMs?: number;
}

/**
 * Moves all of the WAL into the file, flushes it, and empties the WAL, so that no commit follows frames whose flush
 * failed. Throws `LogOpenError` if a reader stays.
 */
export function moveWal(db: DatabaseSync, { path, onWarning, limitMs = READERS_LIMIT_MS }: WalMove): void {
  const untilMs = performance.now() + limitMs;
  db.exec(`PRAGMA busy_timeout = ${READERS_RETRY_MS}`);
  for (let isFirst = true; !tryToMoveWal(db); isFirst = false) {
    if (performance.now() >= untilMs)
      throw new LogOpenError(
        `${path} is being read by another program, such as a backup, which keeps its WAL from being moved into it; end that program and start again`,
      );
    if (isFirst) onWarning(`${path} is being read by another program; the start waits for its end`);
  }
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

/**
 * The same at the end, so that a copy of the file alone has everything: the last connection to close would do it, and a
 * follower stays.
 */
export function moveWalAtEnd(db: DatabaseSync): void {
  try {
    db.exec(`PRAGMA busy_timeout = ${READERS_RETRY_MS}`);
    tryToMoveWal(db);
  } catch {
    // For want of room or because of a reader: everything is durable in the WAL, and the next start moves it.
  }
}

function tryToMoveWal(db: DatabaseSync): boolean {
  const { busy, log, checkpointed } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()!;
  return busy === 0 && log === 0 && checkpointed === 0;
}
