/** The thread of `thread.ts`: reads the log, posts one message and ends. */

import { parentPort, workerData } from 'node:worker_threads';
import { apply, createState, decodeEntry, NO_EFFECTS, type State } from '@venue/engine';
import { type LogReader, openLogReader } from '@venue/log';
import { canApply, snapshotOfIdle } from '@venue/replay';
import { yieldProcessor } from '../threads/low-priority.ts';
import { processorMs } from '../threads/processor-time.ts';
import { loadState, type TakenSnapshot } from './snapshots.ts';
import type { SnapshotResult, SnapshotTask } from './thread.ts';

const port = parentPort!;
/** Snapshots that cannot be read were named when the node started from another. */
const SILENT = { warn() {} };

try {
  // Replaying takes a processor for seconds; a snapshot can wait.
  yieldProcessor('low');
  const snapshot = await take(workerData as SnapshotTask);
  const body = new Uint8Array(snapshot.body);
  port.postMessage({ snapshot: { ...snapshot, body } } satisfies SnapshotResult, [body.buffer]);
} catch (error) {
  port.postMessage({ error: (error as Error).message } satisfies SnapshotResult);
}

async function take({ log, seq, skipSeqs }: SnapshotTask): Promise<TakenSnapshot> {
  const reader = await openLogReader(log);
  try {
    const state = (await loadState(reader, SILENT)) ?? createState();
    const { seq: fromSeq } = state;
    const beganMs = processorMs();
    await replayTo(seq, { reader, state, skipSeqs: new Set(skipSeqs) });
    const replay = { fromSeq, processorMs: processorMs() - beganMs };
    return { ...(await snapshotOfIdle(state, reader)), replay };
  } finally {
    await reader.close();
  }
}

interface Replay {
  readonly reader: LogReader;
  readonly state: State;
  readonly skipSeqs: ReadonlySet<number>;
}

async function replayTo(lastSeq: number, { reader, state, skipSeqs }: Replay): Promise<void> {
  while (state.seq < lastSeq) {
    for (const entry of await reader.readEntries(state.seq + 1, lastSeq)) {
      // The node applied every entry that can be applied.
      if (skipSeqs.has(entry.seq) && !canApply(state, entry)) state.seq = entry.seq;
      else apply(state, decodeEntry(entry), NO_EFFECTS);
    }
  }
}
