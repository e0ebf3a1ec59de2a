/** Messages between the main thread and the thread of a log file. */

import {
  LogArchivedAheadError,
  LogArchivedError,
  LogDamagedError,
  LogDivergedError,
  LogFailedError,
  LogFullError,
  LogReplacedError,
  type StampConflict,
} from '../errors.ts';
import type { BatchRecord, ChainPoint, Head, Snapshot } from '../log.ts';
import { isCorrupt } from './errors.ts';
import type { PackedEntries } from './packed.ts';

/** Requests to a thread that reads a log file, with their arguments and answers. Answers come in order. */
export interface ReadOperations {
  read: { args: [fromSeq: number, toSeq: number]; answer: PackedEntries };
  readBatches: { args: [fromSeq: number, toSeq: number]; answer: readonly BatchRecord[] };
  readHead: { args: []; answer: Head };
  chainStart: { args: []; answer: ChainPoint };
  loadSnapshots: { args: []; answer: Snapshot[] };
  readStamp: { args: []; answer: Map<string, string> };
}

/** All requests; a thread that follows a file answers only those that read, and the last three. */
export interface SqliteOperations extends ReadOperations {
  commit: { args: [PackedEntries]; answer: undefined };
  dropSome: { args: [seq: number]; answer: boolean };
  saveSnapshot: { args: [Snapshot]; answer: undefined };
  writeStamp: { args: [ReadonlyMap<string, string>]; answer: StampConflict | undefined };
  /** Begins to deliver what comes after the head that was told at the opening. */
  follow: { args: []; answer: undefined };
  /** The main thread has taken what arrived; nothing more arrives before. */
  taken: { args: []; answer: undefined };
  close: { args: []; answer: undefined };
}

export type SqliteOperation = keyof SqliteOperations;

export type SqliteRequest = {
  [Op in SqliteOperation]: { readonly op: Op; readonly args: SqliteOperations[Op]['args'] };
}[SqliteOperation];

export type SqliteAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: SqliteFailure };

/** Errors lose their class on the way between threads. */
export type SqliteFailure =
  | { readonly kind: 'full' }
  | { readonly kind: 'archived'; readonly seq: number; readonly firstSeq: number }
  | { readonly kind: 'archived-ahead'; readonly seq: number }
  | { readonly kind: 'diverged'; readonly seq: number }
  | { readonly kind: 'replaced'; readonly path: string }
  | { readonly kind: 'damaged'; readonly message: string }
  | { readonly kind: 'broken'; readonly cause: unknown };

/** Messages before any answer: warnings, then the result of opening. */
export type SqliteOpening =
  | { readonly warning: string }
  | { readonly opened: true; readonly head: Head }
  | { readonly opened: false; readonly error: string };

/** Messages of a thread that follows a file, besides its answers. */
export type SqliteNews =
  | { readonly arrived: PackedEntries }
  /** The file was looked at, at a time of the monotonic clock that all threads share, in ms. */
  | { readonly seen: { readonly seq: number; readonly atMs: number } }
  | { readonly failed: SqliteFailure };

export function failureOf(error: unknown): SqliteFailure {
  if (error instanceof LogFullError) return { kind: 'full' };
  if (error instanceof LogArchivedError)
    return { kind: 'archived', seq: error.seq, firstSeq: error.firstSeq };
  if (error instanceof LogArchivedAheadError) return { kind: 'archived-ahead', seq: error.seq };
  if (error instanceof LogDivergedError) return { kind: 'diverged', seq: error.seq };
  if (error instanceof LogReplacedError) return { kind: 'replaced', path: error.path };
  if (error instanceof LogDamagedError) return { kind: 'damaged', message: error.message };
  if (isCorrupt(error))
    return { kind: 'damaged', message: `the file of the log is damaged (${(error as Error).message})` };
  return { kind: 'broken', cause: error };
}

const RESTORED = 'an older copy of the log was restored';

/** The error that the thread described. */
export function errorOf(failure: SqliteFailure): Error {
  switch (failure.kind) {
    case 'full':
      return new LogFullError();
    case 'archived':
      return new LogArchivedError(failure);
    case 'archived-ahead':
      return new LogArchivedAheadError(failure);
    case 'diverged':
      return new LogDivergedError(failure.seq, RESTORED);
    case 'replaced':
      return new LogReplacedError(failure.path);
    case 'damaged':
      return new LogDamagedError(failure.message);
    case 'broken':
      return new LogFailedError(failure.cause, 'check the disk');
  }
}
