/** What keeps the tools of a log from doing what they are asked, other than a fault in the log itself. */

import { NewerLogError } from '@venue/engine';
import { LogError } from '@venue/log';

/** Verify, export or archive cannot be done; the message is one line for the operator. */
export class LogToolError extends Error {
  override readonly name = 'LogToolError';
}

const FILE_FAULTS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'may not be read or written by this user'],
  ['EPERM', 'may not be read or written by this user'],
  ['EROFS', 'is on a disk that cannot be written'],
  ['EISDIR', 'is a folder'],
  ['ENOENT', 'does not exist, or its folder does not'],
  ['ENOTDIR', 'is not in a folder'],
  ['ENOSPC', 'does not fit on its disk; make room'],
  ['EDQUOT', 'does not fit into the quota of its disk; make room'],
]);

/** Does the work, and makes a `LogToolError` of every failure that an operator can mend. */
export async function foreseeing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const line = lineOf(error);
    throw line === undefined ? error : new LogToolError(line, { cause: error });
  }
}

function lineOf(error: unknown): string | undefined {
  if (error instanceof LogError || error instanceof NewerLogError) return error.message;
  if ((error as Error).name === 'AbortError') return 'broken off; nothing was written';
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ERR_SQLITE_ERROR')
    return `the log cannot be read (${(error as Error).message}); restore it from a backup`;
  const fault = FILE_FAULTS.get(code ?? '');
  return fault === undefined ? undefined : `${path ?? 'the file'} ${fault}`;
}
