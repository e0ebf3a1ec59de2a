/**
 * The thread behind a lane: reports its implementation, then answers batch after batch. It loads nothing else, as every
 * start of a node waits for it.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { parseSignature } from '@venue/protocol/eip191';
import { loadRecovery, type Recovery } from './recovery.ts';
import type { Answer, Batch, Greeting, LaneOptions } from './verifier-lane.ts';

const port = parentPort!;
const { implementation } = workerData as LaneOptions;

try {
  const recovery = await loadRecovery(implementation);
  port.on('message', (batch: Batch) => port.postMessage(answer(recovery, batch)));
  greet({ implementation: recovery.implementation });
} catch (error) {
  greet({ fault: error instanceof Error ? error.message : String(error) });
}

function greet(greeting: Greeting): void {
  port.postMessage(greeting);
}

function answer({ recover }: Recovery, { texts, signatures }: Batch): Answer {
  return texts.map((text, index) => {
    const signature = parseSignature(signatures[index]!);
    return signature === undefined ? null : recover(text, signature);
  });
}
