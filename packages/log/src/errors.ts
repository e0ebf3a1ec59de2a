/** The log could not be opened. The message is one sentence that says what to do about it. */
export class LogOpenError extends Error {
  override readonly name = 'LogOpenError';
}

/** Something was asked of a log after `close`. */
export class LogClosedError extends Error {
  override readonly name = 'LogClosedError';
  constructor() {
    super('the log is closed');
  }
}

/** A stamp was to be changed, which it never may be (MODE-1). */
export class StampConflictError extends Error {
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
