/** What SQLite means by its result codes. */

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

const ACCESS = 'cannot be opened for writing; check that this user may write it and its folder';

/** Said in the one line that a refused start ends with (OWN-68). */
const EXPLANATIONS: ReadonlyMap<number, string> = new Map([
  [SQLITE_BUSY, 'is in use by another process; stop that one or choose another path'],
  [SQLITE_READONLY, ACCESS],
  [SQLITE_CORRUPT, 'is damaged; restore it from a backup'],
  [SQLITE_FULL, 'cannot be opened because the disk is full; make room and start again'],
  [SQLITE_CANTOPEN, ACCESS],
  [SQLITE_NOTADB, 'is not a database; choose another path for the log'],
]);

/** One sentence on why `path` could not be opened and what to do. */
export function explainSqliteError(path: string, error: unknown): string {
  const explanation = EXPLANATIONS.get(codeOf(error));
  if (explanation) return `${path} ${explanation}`;
  return `${path} cannot be opened (${(error as Error).message}); check the disk`;
}

/**
 * No room for a write. It comes before the commit is written, so the transaction has not happened. A flush that fails
 * for want of room is another error, and final: what it left behind is unknown.
 */
export function isFull(error: unknown): boolean {
  return codeOf(error) === SQLITE_FULL;
}

/** The file is no whole database any more. */
export function isCorrupt(error: unknown): boolean {
  return codeOf(error) === SQLITE_CORRUPT;
}

/** The file, or what SQLite keeps beside it, may not be written by this user. */
export function isRefusedAccess(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE_READONLY || code === SQLITE_CANTOPEN;
}

/** SQLite's codes for those of the system, which come from files read or written without SQLite. */
const SYSTEM_CODES: ReadonlyMap<string | undefined, number> = new Map([
  ['ENOSPC', SQLITE_FULL],
  ['EDQUOT', SQLITE_FULL],
  ['EACCES', SQLITE_CANTOPEN],
  ['EPERM', SQLITE_CANTOPEN],
  ['EROFS', SQLITE_READONLY],
]);

/** An extended result code carries the primary one in its low byte. */
function codeOf(error: unknown): number {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return SYSTEM_CODES.get(code) ?? Number(errcode) & 0xff;
}
