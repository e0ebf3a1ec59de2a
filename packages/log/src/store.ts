/** The storage under a `GroupCommitLog`. */

import type { StampConflict } from './errors.ts';
import type { BatchRecord, Head, LogEntry, LogItem, LogNode, LogStatus, Snapshot } from './log.ts';

/** Calls from a store to the log above it, in the order of the entries. */
export interface StoreEvents {
  /** The batch given to `commit` is durable and has its place, right after everything told before. */
  committed(entries: readonly LogEntry[]): void;
  /** Nothing of the batch given to `commit` was written, nor will be. */
  refused(error: Error): void;
  /** Others have appended these, right after everything told before. */
  arrived(entries: readonly LogEntry[]): void;
  /** The store can no longer be trusted; it is never asked for anything again. The error says what to do about it. */
  failed(error: Error): void;
}

/**
 * Where a log keeps its entries. A request that rejects with an error of `isAboutRequest` may be made again; any other
 * rejection means that the store can no longer be trusted, and says what to do about it.
 */
export interface LogStore {
  /** The last durable entry when the store was opened. */
  readonly head: Head;
  /** Called once, before anything else. */
  begin(events: StoreEvents): void;
  /**
   * Appends at least one item as one batch, at a time that is `nowMs` unless the store has a clock of its own. Never called
   * before the last one has been answered through the events.
   */
  commit(items: readonly LogItem[], nowMs: number): void;
  /** At least one entry from `fromSeq` on, none beyond `toSeq`, as many as make a sensible page, checked. */
  read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]>;
  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]>;
  readHead(): Promise<Head>;
  firstSeq(): Promise<number>;
  /** Drops some batches that lie wholly below `seq`, and answers whether there may be more. */
  dropSome(seq: number): Promise<boolean>;
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  loadSnapshots(): Promise<Snapshot[]>;
  readStamp(): Promise<Map<string, string>>;
  /** Answers the conflict, having written nothing, if a key already has another value. */
  writeStamp(entries: ReadonlyMap<string, string>): Promise<StampConflict | undefined>;
  status(): StoreStatus;
  readonly isShared: boolean;
  nodes(): Promise<readonly LogNode[]>;
  close(): Promise<void>;
  /** Releases what can be released after a failure, without touching the data. */
  abandon(): Promise<void>;
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
