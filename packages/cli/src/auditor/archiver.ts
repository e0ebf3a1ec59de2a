/** Copies what no start can need any more from the log of a running node to a file beside it. */

import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface ArchiveTask {
  readonly log: string;
  readonly out: string;
}

export type ArchiveResult = { readonly toSeq: number | null } | { readonly error: string };

export interface ArchiveRequest {
  readonly log: string;
  /** The folder of the log's archives. */
  readonly folder: string;
  /** The first entry that is still in the log. */
  readonly firstSeq: number;
  readonly signal: AbortSignal;
}

const DIGITS = 12;
const DRAFT = /\.part$/;
const ARCHIVE = /^\d{12}\.zst$/;

/**
 * Writes the archive in a thread of its own, so that the node never waits for it. Resolves with the last entry that is
 * in it, or with null if nothing may leave the log yet. Rejects with what went wrong; the log is as it was.
 */
export async function copyToArchive({
  log,
  folder,
  firstSeq,
  signal,
}: ArchiveRequest): Promise<number | null> {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (DRAFT.test(name)) rmSync(join(folder, name));
  const out = join(folder, `${String(firstSeq).padStart(DIGITS, '0')}.zst`);
  // Of a node that was killed before it dropped them: all its entries are still in the log.
  rmSync(out, { force: true });
  const worker = new Worker(new URL('./archive-worker.ts', import.meta.url), {
    name: 'archive',
    workerData: { log, out } satisfies ArchiveTask,
    execArgv: [],
  });
  try {
    const [result] = (await once(worker, 'message', { signal })) as [ArchiveResult];
    if ('error' in result) throw new Error(result.error);
    return result.toSeq;
  } finally {
    await worker.terminate();
  }
}

/** The archives in a folder, in the order of their entries; none if there is no folder. */
export function archivesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => ARCHIVE.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
