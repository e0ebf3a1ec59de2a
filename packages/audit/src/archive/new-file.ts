/** Creates a file atomically: it exists complete and durable, or not at all. */

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
  /** Checks the draft before it gets its final name. If this throws, the draft is deleted. */
  readonly check: (draftPath: string) => Promise<void>;
}

/**
 * Compresses the text into a new file and returns its size in bytes. Until the content is on disk and checked, the file
 * has a draft name: the final name with a random part and `.part` appended. Throws `LogToolError` if the file exists.
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

/** Links, because a link never replaces an existing file. Renaming would, so only file systems without links use it. */
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
