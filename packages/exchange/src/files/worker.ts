/** The thread of `thread.ts`: does one round and ends. */

import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@venue/log/errors';
import { yieldProcessor } from '../threads/low-priority.ts';
import { doRound, type RoundTask } from './round.ts';
import type { RoundMessage } from './thread.ts';

const port = parentPort!;
const say = (message: RoundMessage) => port.postMessage(message);

try {
  // A day's files can wait; orders and readers of the history cannot.
  yieldProcessor('low');
  for (const news of doRound(workerData as RoundTask)) say(news);
  say({ kind: 'done' });
} catch (error) {
  say({ kind: 'failed', error: messageOf(error) });
}
