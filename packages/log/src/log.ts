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

export interface FollowOptions {
  /** Told what `onEntries` threw. Without it the error is thrown to the process as uncaught. */
  readonly onError?: (error: unknown) => void;
}

export interface Follower {
  /**
   * Resolves with the last seq that was durable at the time of the call to `follow`, once everything up to
   * it has been delivered. Rejects if the follower or the log ends before that.
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
   * call appends nothing and resolves once everything appended before it is durable. Rejects with
   * `LogClosedError` after `close`, and with the failure once the log has failed: whether an append that
   * was pending at that moment is durable is then unknown until the log is opened again.
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

  /** Makes the snapshot durable, replacing one of the same seq; the two with the highest seq are kept. */
  saveSnapshot(snapshot: Snapshot): Promise<void>;

  /** At most two, newest first. */
  loadSnapshots(): Promise<Snapshot[]>;

  /** What the log is for: funding mode and the parameters that can never change on it (MODE-1). */
  readStamp(): Promise<Map<string, string>>;

  /**
   * Adds the keys that are missing, all or none. Throws `StampConflictError` if a key already has another
   * value (MODE-1).
   */
  writeStamp(entries: ReadonlyMap<string, string>): Promise<void>;

  /** Flushes what is queued, then releases the store. Calling it again is harmless. */
  close(): Promise<void>;

  /** Resolves with the error when the log can no longer be trusted; the process must then exit. */
  readonly failed: Promise<Error>;
}
