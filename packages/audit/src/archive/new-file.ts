/** A file that is there whole and durable, or not at all. */

import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { link, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { LogToolError } from './tool-error.ts';

export interface NewFile {
  readonly path: string;
  readonly text: AsyncIterable<string>;
  /** Looks at what was written before it gets its name; what it throws keeps it from getting one. */
  readonly check: (draftPath: string) => Promise<void>;
}

/**
 * Compresses the text into a new file and answers how many bytes it has. Until all of it is on the disk and checked it
 * has another name, which begins with that of the file and ends with `.part`. Throws `LogToolError` where there is a
 * file already.
 */
export async function writeNewFile({ path, text, check }: NewFile): Promise<number> {
  refuseExisting(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    await pipeline(text, compress, createWriteStream(draft, { flags: 'wx', flush: true }));
    await check(draft);
    await give(draft, path);
  } finally {
    await unlink(draft).catch(() => {});
  }
  await syncFolder(dirname(path));
  return (await stat(path)).size;
}

export function refuseExisting(path: string): void {
  if (existsSync(path)) throw new LogToolError(`${path} is there already; name another file`);
}

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A link is never made over a file; a renaming would replace it, so it is for file systems that know no links. */
async function give(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && !NO_LINKS.has(code)) throw error;
    refuseExisting(path);
    await rename(draft, path);
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
