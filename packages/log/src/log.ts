/** One item to append. The log never inspects it; the caller must not change `body` afterwards. */
export interface LogItem {
  readonly kind: string;
  readonly body: Uint8Array;
  /** Opaque to the log: returned on the entry when it is delivered to followers in this process. */
  readonly local?: unknown;
}

/** An item with its number and time, durable. `body` may share memory with its neighbours. */
export interface LogEntry {
  /** Counts from 1 without gaps. */
  readonly seq: number;
  /** Unix ms, assigned by the log, never less than that of the previous entry. */
  readonly ts: number;
  readonly kind: string;
  readonly body: Uint8Array;
  /** The item's `local` value, if this process appended it since it opened the log; otherwise undefined. */
  readonly local?: unknown;
}

/** The state after entry `seq`, from which a start can continue instead of replaying from the beginning. */
export interface Snapshot {
  readonly seq: number;
  /** Format of the body; a reader that does not know it replays instead. */
  readonly version: number;
  /** Digest of the state, opaque to the log. */
  readonly digest: string;
  readonly body: Uint8Array;
}

/** The last durable entry; zeros while the log is empty. */
export interface Head {
  readonly seq: number;
  readonly ts: number;
}

/** A process using the log, as far as the store can tell. */
export interface LogNode {
  /** The address of its machine. */
  readonly address: string;
  /** The feature level it announced. */
  readonly level: number;
}

/** The entries of one transaction, sealed by a hash that covers it and everything before it; see `chain.ts`. */
export interface BatchRecord {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** A UUID, used to find an append whose answer was lost. */
  readonly id: string;
  /** SHA-256, 64 hex digits. */
  readonly hash: string;
}

/** A boundary between two batches: the next batch continues from `hash`. Zeros before the first batch. */
export interface ChainPoint {
  readonly seq: number;
  /** Time of the entry, 0 if unknown. */
  readonly ts: number;
  readonly hash: string;
}

/** A batch of this process that became durable. */
export interface Flush {
  readonly entries: number;
  /** From the call to the store until its acknowledgement. */
  readonly ms: number;
}

/** The state of this process's contact with its store. */
export interface LogStatus {
  readonly reachable: boolean;
  /** Monotonic ms since the store last confirmed that all its entries had been delivered here. */
  readonly lastContactMs: number;
  /** Entries known to be in the store but not yet delivered. */
  readonly lagEntries: number;
  /** Why the clock is not trusted, so that no entry can get a time; undefined if it is. */
  readonly clockFault: string | undefined;
  /** True if the last append of this process found room. */
  readonly writable: boolean;
}

export interface FollowOptions {
  /** Receives errors thrown by `onEntries`. Without it they are uncaught exceptions. */
  readonly onError?: (error: unknown) => void;
}

export interface Follower {
  /**
   * Resolves with the last seq known to be durable when `follow` was called, once everything up to it has been
   * delivered. Rejects if the follower or the log ends first, if an entry is missing or does not match the hash of its
   * batch, and with `LogArchivedError` if the requested entries are archived.
   */
  readonly caughtUp: Promise<number>;
  /** `onEntries` is not called again after this returns. */
  stop(): void;
}

/** The calls of a log that change nothing in it, open to all of its users. */
export interface ReadOnlyLog {
  /**
   * Delivers every entry with seq >= `fromSeq` once, in order, in non-empty batches: stored entries first, then new
   * ones as they become durable. `onEntries` is synchronous. If it throws, this follower stops, the error goes to
   * `options.onError`, and neither the log nor other followers are affected.
   */
  follow(
    fromSeq: number,
    onEntries: (entries: readonly LogEntry[]) => void,
    options?: FollowOptions,
  ): Follower;

  head(): Promise<Head>;

  /** The oldest entry that has not been archived; 1 while the log is empty. */
  firstSeq(): Promise<number>;

  /**
   * The batches that contain entries `fromSeq` to `toSeq`, in order. A long range is cut short; continue after the
   * `lastSeq` of the last batch. Empty if there are none.
   */
  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]>;

  /** At most two, newest first. */
  loadSnapshots(): Promise<Snapshot[]>;

  /** The purpose of the log: funding mode and the immutable parameters (MODE-1). */
  readStamp(): Promise<Map<string, string>>;

  /**
   * A log that this process writes in this machine is always in touch. Only such a log reports lack of room; others
   * count as out of touch then.
   */
  status(): LogStatus;

  /** Flushes pending appends, then releases the store. Safe to call twice. */
  close(): Promise<void>;

  /**
   * Resolves with the error when this process can no longer use the log and must exit: `LogFailedError`,
   * `LogDamagedError`, and on a log that others write `LogDivergedError` or `LogArchivedAheadError`. Its message is one
   * line that says what to do.
   */
  readonly failed: Promise<Error>;
}

/** An ordered, durable log. Every implementation passes the suite in `test/behaviour.ts`. */
export interface Log extends ReadOnlyLog {
  /**
   * Appends all items of one call consecutively, or none. Resolves once they are durable and have been delivered to
   * every caught-up follower; item `i` has seq `firstSeq + i`, and all have `ts`. An empty call appends nothing and
   * resolves once everything appended before it is durable.
   *
   * Rejects with `LogFullError` if there is no room: nothing was appended, and later appends may succeed. Rejects with
   * `LogClockError` while the clock is not trusted: nothing was appended. Rejects with `LogUnavailableError` if the
   * store cannot be reached in time. Rejects with `LogClosedError` after `close`, and with the failure once the log has
   * failed: an append that was pending at that moment may or may not be durable, which only reopening the log can tell.
   */
  append(items: readonly LogItem[]): Promise<{ firstSeq: number; ts: number }>;

  /**
   * Deletes the batches wholly below `seq`, which the caller has archived, and resolves with the first remaining seq.
   * Rejects with `LogArchiveError`, having deleted nothing, unless there is a snapshot at or above `seq`.
   */
  dropBefore(seq: number): Promise<number>;

  /** True if other processes may append to the log too. */
  readonly isShared: boolean;

  /** The nodes currently on a shared log, including this one; empty if it is not shared. */
  nodes(): Promise<readonly LogNode[]>;
  /** The operator confirms that the clock is right. */
  acceptClock(): void;

  /** Calls a listener for each batch that this process makes durable from now on. */
  onFlushed(listener: (flush: Flush) => void): void;

  /** Makes the snapshot durable, replacing one with the same seq. The two with the highest seq are kept. */
  saveSnapshot(snapshot: Snapshot): Promise<void>;

  /** Adds the missing keys, all or none. Throws `StampConflictError` if a key already has a different value (MODE-1). */
  writeStamp(entries: ReadonlyMap<string, string>): Promise<void>;
}
