import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LogOpenError } from '../errors.ts';
import { explainSqliteError } from './errors.ts';
import { syncFolder } from './sync-folder.ts';

export interface FileLock {
  /** The canonical path of the locked file; its companion files are beside it (OWN-22). */
  readonly path: string;
  release(): void;
}

/**
 * Takes the writer's lock on a log file, creating its folder if necessary. The lock is an SQLite transaction held open
 * on an empty file beside it: the operating system releases it when the process ends, however it ends, and the log file
 * itself stays open to readers. Throws `LogOpenError`.
 */
export function lockFile(path: string): FileLock {
  makeFolder(path);
  const name = nameOf(path);
  try {
    const db = new DatabaseSync(`${name}-lock`, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw error;
    }
    return { path: name, release: () => db.close() };
  } catch (error) {
    throw new LogOpenError(explainSqliteError(path, error));
  }
}

/** The canonical path of the file: two paths to it must lead to the same lock and the same WAL. */
function nameOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return resolve(path);
    throw new LogOpenError(`${path} is a link to a file that does not exist; name that file itself`);
  }
  if (!found.isFile()) throw new LogOpenError(`${path} is not a file; choose another path for the log`);
  if (found.nlink > 1) {
    throw new LogOpenError(
      `${path} has ${found.nlink} names (hard links), and nodes on two of them would destroy the log; remove all but one, and copy the file instead of linking it`,
    );
  }
  return realpathSync(path);
}

/** A new folder is made durable too, or a power cut could lose the folder and the log in it. */
function makeFolder(path: string): void {
  const folder = dirname(resolve(path));
  try {
    makeMissing(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && statSync(dirname(folder), { throwIfNoEntry: false }) === undefined)
      throw new LogOpenError(
        `the folder ${dirname(folder)} is not there, and of the path of a log only the last folder is made; make it, or correct VENUE_LOG`,
      );
    throw new LogOpenError(
      `the folder ${folder} cannot be made (${code}); make it a folder this user may write, or choose another path for the log`,
    );
  }
}

/** Creates the last folder only: a mistyped path should not start a new log in unintended folders. */
function makeMissing(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw Object.assign(new Error(`${folder} is a file`), { code: 'ENOTDIR' });
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  syncFolder(dirname(folder));
}
