/** The errors of a log, defects in the code apart. The message is one line. */
export abstract class LogError extends Error {}

/** The log could not be opened. The message is one sentence that says what to do about it. */
export class LogOpenError extends LogError {
  override readonly name = 'LogOpenError';
}

/** Something was asked of a log after `close`. */
export class LogClosedError extends LogError {
  override readonly name = 'LogClosedError';
  constructor() {
    super('the log is closed');
  }
}

/** There is no room for an append, of which nothing was written. The log stays open, and goes on once there is. */
export class LogFullError extends LogError {
  override readonly name = 'LogFullError';
  constructor() {
    super('the disk of the log is full; nothing was written, make room');
  }
}

/** Nothing was written, as no entry is to have the time of a clock that is wrong. The log goes on once it is right. */
export class LogClockError extends LogError {
  override readonly name = 'LogClockError';

  constructor(fault: string) {
    super(`${fault}; nothing was written`);
  }
}

/** The store of the log could not be reached in time. */
export class LogUnavailableError extends LogError {
  override readonly name = 'LogUnavailableError';
  /** Whether what was asked for happened: it may yet, or it never will. */
  readonly outcome: 'unknown' | 'none';

  constructor(outcome: 'unknown' | 'none') {
    super(
      outcome === 'none'
        ? 'the log cannot be reached; nothing was written'
        : 'the log cannot be reached; whether this was written is not known',
    );
    this.outcome = outcome;
  }
}

/** An entry was asked for that has been archived. */
export class LogArchivedError extends LogError {
  override readonly name = 'LogArchivedError';
  readonly seq: number;
  /** The oldest that is left. */
  readonly firstSeq: number;

  constructor({ seq, firstSeq }: { seq: number; firstSeq: number }) {
    super(
      `entry ${seq} was archived; the log begins at entry ${firstSeq}, so start from a snapshot or read the archive`,
    );
    this.seq = seq;
    this.firstSeq = firstSeq;
  }
}

/** An entry is not there, or not what was appended. The message names it; the log can no longer be trusted. */
export class LogDamagedError extends LogError {
  override readonly name = 'LogDamagedError';
}

/** A fail-over has lost what this node had read or appended. The log goes on; the node must start anew. */
export class LogDivergedError extends LogError {
  override readonly name = 'LogDivergedError';
  /** The last entry that this node knows. */
  readonly seq: number;

  constructor(seq: number) {
    super(
      `entry ${seq} is no longer in the log as this node has read it, so a fail-over has lost what was appended; start the node anew`,
    );
    this.seq = seq;
  }
}

/** Others archived what a running node had not read yet. The log is whole; the node must start anew. */
export class LogArchivedAheadError extends LogError {
  override readonly name = 'LogArchivedAheadError';
  /** The entry that this node had to read next. */
  readonly seq: number;

  constructor({ seq }: { seq: number }) {
    super(`entry ${seq} was archived before this node had read it; start the node anew`);
    this.seq = seq;
  }
}

/**
 * The store failed, and what it had not acknowledged cannot be trusted: the process must end. The message is one line
 * that says what to do; `cause` is what the store said.
 */
export class LogFailedError extends LogError {
  override readonly name = 'LogFailedError';

  /** `remedy` is what an operator does before the next start. */
  constructor(cause: unknown, remedy: string) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    super(
      `the log could not be read or written: ${reason}; ${remedy}, then start again: every write that was acknowledged is in the log`,
      { cause },
    );
  }
}

/** Entries may not be dropped; the message says why. */
export class LogArchiveError extends LogError {
  override readonly name = 'LogArchiveError';
}

/** Whether the log can be trusted all the same: the error is about one request. */
export function isAboutRequest(error: unknown): boolean {
  return (
    error instanceof LogClosedError ||
    error instanceof LogFullError ||
    error instanceof LogClockError ||
    error instanceof LogUnavailableError ||
    error instanceof LogArchivedError ||
    error instanceof LogArchiveError
  );
}

/** A stamp was to be changed, which it never may be (MODE-1). */
export class StampConflictError extends LogError {
  override readonly name = 'StampConflictError';
  readonly key: string;
  readonly stored: string;
  readonly given: string;

  constructor(conflict: StampConflict) {
    const { key, stored, given } = conflict;
    super(`the log is stamped ${key}=${stored} and cannot be opened with ${key}=${given}`);
    this.key = key;
    this.stored = stored;
    this.given = given;
  }
}

/** A key whose value in the log differs from the one given. */
export interface StampConflict {
  readonly key: string;
  readonly stored: string;
  readonly given: string;
}

/** The first key on which the two disagree, if any. */
export function findStampConflict(
  stored: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
): StampConflict | undefined {
  for (const [key, value] of given) {
    const before = stored.get(key);
    if (before !== undefined && before !== value) return { key, stored: before, given: value };
  }
  return undefined;
}
