/** One thing to append. The log never looks inside; the caller must not change `body` afterwards. */
export interface LogItem {
  readonly kind: string;
  readonly body: Uint8Array;
  /** Opaque to the log: handed back on the entry when it is delivered to followers of this very process. */
  readonly local?: unknown;
}

/** An item in its place: durable, numbered, timed. `body` may share memory with its neighbours. */
export interface LogEntry {
  /** Dense, from 1. */
  readonly seq: number;
  /** Unix ms, given by the log, never less than that of the entry before. */
  readonly ts: number;
  readonly kind: string;
  readonly body: Uint8Array;
  /** What the item carried, if this process appended it since it opened the log; otherwise undefined. */
  readonly local?: unknown;
}

/** The state after entry `seq`, so that a start need not replay from the beginning. */
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

/** A process on the log, as far as the store can tell. */
export interface LogNode {
  /** The address of its machine. */
  readonly address: string;
  /** The level that it announced, null for one of a release that announced none. */
  readonly level: number | null;
}

/** The entries of one transaction, sealed by a hash that covers it and everything before it; see `chain.ts`. */
export interface BatchRecord {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** A UUID: an append whose outcome got lost is found again by it. */
  readonly id: string;
  /** SHA-256, 64 hex digits. */
  readonly hash: string;
}

/** A place between two batches: what comes after it continues from `hash`. Zeros before the first batch. */
export interface ChainPoint {
  readonly seq: number;
  /** Time of the entry, 0 if it is not known. */
  readonly ts: number;
  readonly hash: string;
}

/** A batch of this process that became durable. */
export interface Flush {
  readonly entries: number;
  /** From handing it to the store until the store said so. */
  readonly ms: number;
}

/** How far this process is in touch with its store. */
export interface LogStatus {
  readonly reachable: boolean;
  /** Monotonic ms since the store last confirmed that everything in it had been delivered here. */
  readonly lastContactMs: number;
  /** Entries known to be in the store and not delivered yet. */
  readonly lagEntries: number;
  /** Why no entry can get a time, in words, while the clock is not to be believed. */
  readonly clockFault: string | undefined;
  /** Whether the last append of this process found room. */
  readonly writable: boolean;
}

export interface FollowOptions {
  /** Told what `onEntries` threw. Without it the error is thrown to the process as uncaught. */
  readonly onError?: (error: unknown) => void;
}

export interface Follower {
  /**
   * Resolves with the last seq that was known to be durable at the time of the call to `follow`, once everything
   * up to it has been delivered. Rejects if the follower or the log ends before that, if an entry is missing or
   * does not match the hash of its batch, and with `LogArchivedError` if it was asked for what is archived.
   */
  readonly caughtUp: Promise<number>;
  /** No call to `onEntries` begins after this returns. */
  stop(): void;
}

/** An ordered, durable log. Every implementation passes the suite in `test/behaviour.ts`. */
export interface Log {
  /**
   * Appends all items of one call next to each other, or none. Resolves once they are durable and every
   * caught-up follower has been handed them; item `i` has seq `firstSeq + i`, and all have `ts`. An empty
   * call appends nothing and resolves once everything appended before it is durable.
   *
   * Rejects with `LogFullError` when there was no room: nothing was appended, and later appends may succeed.
   * Rejects with `LogClockError` while the clock is not to be believed: nothing was appended.
   * Rejects with `LogUnavailableError` when the store cannot be reached in time. Rejects with `LogClosedError`
   * after `close`, and with the failure once the log has failed: whether an append that was pending at that
   * moment is durable is then unknown until the log is opened again.
   */
  append(items: readonly LogItem[]): Promise<{ firstSeq: number; ts: number }>;

  /**
   * Delivers every entry with seq >= `fromSeq` once, in order, in non-empty batches: stored ones first, then
   * new ones as they become durable. `onEntries` is synchronous. If it throws, this follower stops, the error
   * goes to `options.onError`, and neither the log nor the other followers are affected.
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
   * The batches that hold entries `fromSeq` to `toSeq`, in order; a long range is cut off, and goes on after the
   * `lastSeq` of the last one. Empty if there are none.
   */
  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]>;

  /**
   * Deletes the batches that lie wholly below `seq`, for whoever has archived them, and resolves with the first seq
   * that is left. Rejects with `LogArchiveError`, having deleted nothing, unless a snapshot at or above `seq` makes
   * up for them.
   */
  dropBefore(seq: number): Promise<number>;

  /** Always in touch where the store is in this machine. There alone want of room shows: another store is out of touch then. */
  status(): LogStatus;

  /** Whether other processes may append to the log as well. */
  readonly isShared: boolean;

  /** The nodes on a shared log at this moment, this one included; none where it is not shared. */
  nodes(): Promise<readonly LogNode[]>;
  /** The operator says that the clock is right as it is. */
  acceptClock(): void;

  /** Has a listener told of each batch that this process makes durable from now on. */
  onFlushed(listener: (flush: Flush) => void): void;

  /** Makes the snapshot durable, replacing one of the same seq; the two with the highest seq are kept. */
  saveSnapshot(snapshot: Snapshot): Promise<void>;

  /** At most two, newest first. */
  loadSnapshots(): Promise<Snapshot[]>;

  /** The purpose of the log: funding mode and the parameters that can never change on it (MODE-1). */
  readStamp(): Promise<Map<string, string>>;

  /**
   * Adds the keys that are missing, all or none. Throws `StampConflictError` if a key already has another
   * value (MODE-1).
   */
  writeStamp(entries: ReadonlyMap<string, string>): Promise<void>;

  /** Flushes what is queued, then releases the store. Calling it again is harmless. */
  close(): Promise<void>;

  /**
   * Resolves with the error when this process can no longer go on with the log, and must exit: `LogFailedError`,
   * `LogDamagedError`, and with others on the log `LogDivergedError` or `LogArchivedAheadError`. Its message is one line
   * that says what to do.
   */
  readonly failed: Promise<Error>;
}
