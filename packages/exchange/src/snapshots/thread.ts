/** Makes snapshots in a separate thread that reads the log itself, so that the node never waits for one. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TakenSnapshot } from './snapshots.ts';

export interface SnapshotTask {
  /** The log, as `openLogReader` takes it. */
  readonly log: string;
  /** The snapshot is of the state after this entry. */
  readonly seq: number;
  readonly skipSeqs: readonly number[];
}

export type SnapshotResult = { readonly snapshot: TakenSnapshot } | { readonly error: string };

/**
 * Rejects if the thread fails or the signal aborts it; the node is unaffected. A thread may have as much to replay as a
 * start.
 */
export async function takeInThread(task: SnapshotTask, signal?: AbortSignal): Promise<TakenSnapshot> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'snapshot',
    workerData: task,
    // Flags meant for the main thread, such as --eval, would break this one.
    execArgv: [],
  });
  try {
    const [result] = (await once(worker, 'message', signal && { signal })) as [SnapshotResult];
    if ('error' in result) throw new Error(`the snapshot at entry ${task.seq} was not made: ${result.error}`);
    return result.snapshot;
  } finally {
    await worker.terminate();
  }
}
