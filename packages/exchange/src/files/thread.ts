/** Does rounds over the days in a thread of their own, so that no order waits for a file. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RoundNews, RoundTask } from './round.ts';

export type RoundMessage =
  | RoundNews
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: string };

/** Resolves once the round is done. Rejects if the thread fails, or the signal aborts it. */
export async function roundInThread(
  task: RoundTask,
  onNews: (news: RoundNews) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'files',
    workerData: task,
    // Flags meant for the main thread, such as --eval, would break this one.
    execArgv: [],
  });
  const ended = Promise.withResolvers<void>();
  worker.on('message', (message: RoundMessage) => {
    if (message.kind === 'done') ended.resolve();
    else if (message.kind === 'failed') ended.reject(new Error(message.error));
    else onNews(message);
  });
  worker.on('exit', () => ended.reject(new Error('the thread of the daily files has ended')));
  try {
    await Promise.race([ended.promise, once(worker, 'exit', { signal })]);
  } finally {
    worker.removeAllListeners('message');
    await worker.terminate();
  }
}
