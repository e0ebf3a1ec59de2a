/** Whether a snapshot is what it says. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { restoreState, SNAPSHOT_VERSION, type State } from '@venue/engine';
import type { Snapshot } from '@venue/log';

const decompress = promisify(zstdDecompress);

/** What is wrong with a snapshot, to follow its name in a sentence; null for a good one. */
export async function snapshotFault(snapshot: Snapshot): Promise<string | null> {
  const restored = await restoreSnapshot(snapshot);
  return typeof restored === 'string' ? restored : null;
}

/** The state of a snapshot, or what is wrong with it. */
export async function restoreSnapshot(snapshot: Snapshot): Promise<State | string> {
  const { seq, version, digest, body } = snapshot;
  if (version !== SNAPSHOT_VERSION)
    return `is of version ${version}, and this program reads version ${SNAPSHOT_VERSION}`;
  try {
    const text = (await decompress(body)).toString();
    if (createHash('sha256').update(text).update('\n').digest('hex') !== digest)
      return 'is damaged: its body has another digest';
    const state = restoreState(text.split('\n'));
    return state.seq === seq ? state : `is damaged: it holds the state after entry ${state.seq}`;
  } catch (error) {
    return `is damaged: ${(error as Error).message}`;
  }
}
