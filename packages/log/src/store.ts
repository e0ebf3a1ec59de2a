/** The storage under a `GroupCommitLog`. */

import type { StampConflict } from './errors.ts';
import type { BatchRecord, Head, LogEntry, LogItem, LogNode, LogStatus, Snapshot } from './log.ts';

/** Calls from a store to the log above it, in the order of the entries. */
export interface StoreEvents {
  /** The batch given to `commit` is durable and follows everything reported before. */
  committed(entries: readonly LogEntry[]): void;
  /** Nothing of the batch given to `commit` was written, nor will be. */
  refused(error: Error): void;
  /** Others appended these entries, which follow everything reported before. */
  arrived(entries: readonly LogEntry[]): void;
  /** The store can no longer be trusted, and is never called again. The error says what to do about it. */
  failed(error: Error): void;
}

/**
 * Where the entries of a log are, for one who only reads them. A request that rejects with an error of
 * `isAboutRequest` may be repeated; any other rejection means that the store can no longer be trusted, and says what to
 * do about it.
 */
export interface ReadOnlyStore {
  /** The last durable entry when the store was opened. */
  readonly head: Head;
  /** Called once, before anything else. */
  begin(events: StoreEvents): void;
  /** A checked page of at least one entry from `fromSeq` up to at most `toSeq`. */
  read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]>;
  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]>;
  readHead(): Promise<Head>;
  firstSeq(): Promise<number>;
  loadSnapshots(): Promise<Snapshot[]>;
  readStamp(): Promise<Map<string, string>>;
  status(): StoreStatus;
  close(): Promise<void>;
  /** Releases what it can after a failure, without touching the data. */
  abandon(): Promise<void>;
}

/** The storage of a log's entries. */
export interface LogStore extends ReadOnlyStore {
  /**
   * Appends at least one item as one batch, with the time `nowMs` unless the store has its own clock. Never called
   * before an event has answered the previous call.
   */
  commit(items: readonly LogItem[], nowMs: number): void;
  /** Deletes some batches wholly below `seq`, and resolves with true if more may remain. */
  dropSome(seq: number): Promise<boolean>;
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  /** Returns the conflict, having written nothing, if a key already has another value. */
  writeStamp(entries: ReadonlyMap<string, string>): Promise<StampConflict | undefined>;
  readonly isShared: boolean;
  nodes(): Promise<readonly LogNode[]>;
}

/** The store's part of the status; the log above knows whether its appends find room. */
export type StoreStatus = Omit<LogStatus, 'writable'>;

/** The status of a store in this machine. */
export const IN_TOUCH: StoreStatus = {
  reachable: true,
  lastContactMs: 0,
  lagEntries: 0,
  clockFault: undefined,
};
