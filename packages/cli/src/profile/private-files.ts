/** Files that nobody else may read, in folders that nobody else may enter. */

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../base/command-error.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;

/** Creates a folder for its owner only, with its parents, or checks that an existing one is private. */
export function privateFolder(path: string): void {
  // Only the folder created here gets the mode; its parents may be public.
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  checkFolder(path);
}

/**
 * The text of a private file, or null if there is none. Throws `CommandError` for a file, or a folder around it, that
 * others can read, because they may know its key.
 */
export function readPrivate(path: string): string | null {
  const fd = opened(path);
  if (fd === null) return null;
  try {
    checkFolder(dirname(path));
    // Checks the open file, because its name may refer to another file by now.
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new CommandError(`${path} is not a file`);
    check(path, stats, 'read', 'chmod 600');
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** Writes a new private file; returns false, leaving it unchanged, if one exists. */
export function createPrivate(path: string, text: string): boolean {
  const draft = drafted(path, text);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

/** Writes a private file, atomically replacing an existing one. */
export function replacePrivate(path: string, text: string): void {
  renameSync(drafted(path, text), path);
}

function drafted(path: string, text: string): string {
  privateFolder(dirname(path));
  removeDeadDrafts(path);
  const draft = `${path}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  const fd = openSync(draft, 'wx', FILE_MODE);
  try {
    // The environment's mask may have removed rights of the owner.
    fchmodSync(fd, FILE_MODE);
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return draft;
}

/** A process that was killed leaves its draft, which may hold a key. */
function removeDeadDrafts(path: string): void {
  const draft = new RegExp(`^${RegExp.escape(basename(path))}\\.(\\d+)\\.draft$`);
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const [, pid] = draft.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
}

function opened(path: string): number | null {
  try {
    // A pipe that nobody writes to must not be waited for.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function checkFolder(path: string): void {
  check(path, statSync(path), 'enter', 'chmod 700');
}

function check(path: string, { mode, uid }: Stats, what: string, remedy: string): void {
  if ((mode & OTHERS) !== 0)
    throw new CommandError(
      `others can ${what} ${path}: run ${remedy} ${quoted(path)}, and think of its keys as known`,
    );
  const own = process.getuid?.();
  if (own !== undefined && uid !== own)
    throw new CommandError(`${path} belongs to another user; use files of your own`);
}

function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
