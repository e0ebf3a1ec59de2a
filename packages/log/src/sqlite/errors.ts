/** Explains SQLite's result codes. */

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

const ACCESS = 'cannot be opened for writing; check that this user may write it and its folder';

/** Ends the one-line message of a refused start (OWN-68). */
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
 * No room for a write. This happens before the commit is written, so the transaction did not take effect. A flush that
 * fails for lack of room is a different error, and final: its effect is unknown.
 */
export function isFull(error: unknown): boolean {
  return codeOf(error) === SQLITE_FULL;
}

/** The file is no longer a valid database. */
export function isCorrupt(error: unknown): boolean {
  return codeOf(error) === SQLITE_CORRUPT;
}

/** Another connection has the file locked, for a moment as a rule. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === SQLITE_BUSY;
}

/** This user may not write the file, or the files SQLite keeps beside it. */
export function isRefusedAccess(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE_READONLY || code === SQLITE_CANTOPEN;
}

/** SQLite's codes for system errors, which occur when files are read or written without SQLite. */
const SYSTEM_CODES: ReadonlyMap<string | undefined, number> = new Map([
  ['ENOSPC', SQLITE_FULL],
  ['EDQUOT', SQLITE_FULL],
  ['EACCES', SQLITE_CANTOPEN],
  ['EPERM', SQLITE_CANTOPEN],
  ['EROFS', SQLITE_READONLY],
]);

/** The low byte of an extended result code is the primary code. */
function codeOf(error: unknown): number {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return SYSTEM_CODES.get(code) ?? Number(errcode) & 0xff;
}
