/** Base class of the errors of a log, except defects in the code. The message is one line. */
export abstract class LogError extends Error {}

/** The log could not be opened. The message is one sentence that says what to do about it. */
export class LogOpenError extends LogError {
  override readonly name = 'LogOpenError';
}

/** A database without the tables of a log, opened by a reader, which creates none. */
export class LogAbsentError extends LogOpenError {
  /** Why the first start of an exchange could not create them either; undefined if it could. */
  readonly obstacle: string | undefined;

  constructor({ obstacle }: { readonly obstacle: string | undefined }) {
    super('the database holds no log of the exchange; name the one that does');
    this.obstacle = obstacle;
  }
}

/** A call to a log after `close`. */
export class LogClosedError extends LogError {
  override readonly name = 'LogClosedError';
  constructor() {
    super('the log is closed');
  }
}

/** There is no room for an append; nothing was written. The log stays open and resumes once there is room. */
export class LogFullError extends LogError {
  override readonly name = 'LogFullError';
  constructor() {
    super('the disk of the log is full; nothing was written, make room');
  }
}

/** Nothing was written, because an entry would get the time of a wrong clock. The log resumes once the clock is right. */
export class LogClockError extends LogError {
  override readonly name = 'LogClockError';

  constructor(fault: string) {
    super(`${fault}; nothing was written`);
  }
}

/** The store of the log could not be reached in time. */
export class LogUnavailableError extends LogError {
  override readonly name = 'LogUnavailableError';
  /** `unknown`: the request may still take effect. `none`: it never will. */
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

/** The requested entry has been archived. */
export class LogArchivedError extends LogError {
  override readonly name = 'LogArchivedError';
  readonly seq: number;
  /** The oldest remaining entry. */
  readonly firstSeq: number;

  constructor({ seq, firstSeq }: { seq: number; firstSeq: number }) {
    super(
      `entry ${seq} was archived; the log begins at entry ${firstSeq}, so start from a snapshot or read the archive`,
    );
    this.seq = seq;
    this.firstSeq = firstSeq;
  }
}

/** An entry is missing or differs from what was appended. The message names it; the log can no longer be trusted. */
export class LogDamagedError extends LogError {
  override readonly name = 'LogDamagedError';
}

/** The log has lost entries that this node had read or appended. The log goes on; the node must restart. */
export class LogDivergedError extends LogError {
  override readonly name = 'LogDivergedError';
  /** The last entry this node knows. */
  readonly seq: number;

  constructor(seq: number, cause = 'a fail-over has lost what was appended') {
    super(`entry ${seq} is no longer in the log as this node has read it, so ${cause}; restart the node`);
    this.seq = seq;
  }
}

/** The file of a log that others write is gone from its place, and with it the log that this node has read. */
export class LogReplacedError extends LogError {
  override readonly name = 'LogReplacedError';
  readonly path: string;

  constructor(path: string) {
    super(
      `${path} is no longer the file that this node reads: it was replaced or removed; restart the node once the log is in its place`,
    );
    this.path = path;
  }
}

/** Other nodes archived entries that this one had not read yet. The log is whole; the node must restart. */
export class LogArchivedAheadError extends LogError {
  override readonly name = 'LogArchivedAheadError';
  /** The entry this node had to read next. */
  readonly seq: number;

  constructor({ seq }: { seq: number }) {
    super(`entry ${seq} was archived before this node had read it; restart the node`);
    this.seq = seq;
  }
}

/**
 * The store failed. Unacknowledged data cannot be trusted, so the process must exit. The message is one line that says
 * what to do; `cause` is the store's error.
 */
export class LogFailedError extends LogError {
  override readonly name = 'LogFailedError';

  /** `remedy` tells an operator what to do before the next start. */
  constructor(cause: unknown, remedy: string) {
    const [reason] = messageOf(cause).split('\n');
    super(
      `the log could not be read or written: ${reason}; ${remedy}, then start again: every write that was acknowledged is in the log`,
      { cause },
    );
  }
}

/** Entries cannot be dropped; the message says why. */
export class LogArchiveError extends LogError {
  override readonly name = 'LogArchiveError';
}

/** True if the error concerns one request only, and the log can still be trusted. */
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

/** An attempt to change a stamp, which is immutable (MODE-1). */
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

/** A key whose value in the log differs from the given one. */
export interface StampConflict {
  readonly key: string;
  readonly stored: string;
  readonly given: string;
}

/** The first key whose values differ, if any. */
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

/** The text to show for anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
