/** The thread of `store.ts`: answers one request after another. */

import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@venue/log/errors';
import { yieldProcessor } from '../threads/low-priority.ts';
import { HistoryFile, type HistoryOpening } from './file.ts';
import { HistoryDamagedError } from './schema.ts';
import { answerTo, type HistoryReply, type HistoryRequest } from './store.ts';

const port = parentPort!;

const file = replyWith(() => {
  const opened = new HistoryFile((workerData as { path: string }).path);
  const { opening } = opened;
  port.postMessage({ value: opening } satisfies HistoryReply<HistoryOpening>);
  return opened;
});
if (file !== undefined) {
  // Orders come first; readers of statements wait, but not forever.
  yieldProcessor('below normal');
  port.on('message', (request: HistoryRequest) => {
    replyWith(() => port.postMessage({ value: answerTo(file, request) } satisfies HistoryReply<unknown>));
  });
}

function replyWith<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    const isDamaged = error instanceof HistoryDamagedError;
    port.postMessage({ error: messageOf(error), isDamaged } satisfies HistoryReply<never>);
    return undefined;
  }
}
