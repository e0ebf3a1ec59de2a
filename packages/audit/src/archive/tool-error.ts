/** Errors of verify, export and archive that are not faults of the log itself. */

import { NewerLogError } from '@venue/engine';
import { LogError } from '@venue/log';

/** The command cannot be carried out. The message is one line for the operator. */
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

/** Runs the work and turns every failure that an operator can fix into a `LogToolError`. */
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
