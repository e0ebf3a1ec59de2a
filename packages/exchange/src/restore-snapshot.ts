/** From a snapshot back to the state, or to what is wrong with it. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { restoreState, SNAPSHOT_VERSION, type State, stateLines } from '@venue/engine';
import type { Snapshot } from '@venue/log';
import { messageOf } from './error-message.ts';

const decompress = promisify(zstdDecompress);

/**
 * The state of a snapshot, which has the digest that the snapshot says; or what is wrong with it, to follow its name in a
 * sentence.
 */
export async function restoreSnapshot(snapshot: Snapshot): Promise<State | string> {
  const { seq, digest } = snapshot;
  return withText(snapshot, (text) => {
    const state = restoreState(linesOf(text));
    if (state.seq !== seq) return `is damaged: it holds the state after entry ${state.seq}`;
    const hash = createHash('sha256');
    for (const line of stateLines(state)) hash.update(line).update('\n');
    return hash.digest('hex') === digest ? state : 'is damaged: its state has another digest';
  });
}

/** What is wrong with the bytes of a snapshot, for who has the state from elsewhere; null for sound ones. */
export async function bodyFault(snapshot: Snapshot): Promise<string | null> {
  return withText(snapshot, (text) => {
    const found = createHash('sha256').update(text).update('\n').digest('hex');
    return found === snapshot.digest ? null : 'is damaged: its body has another digest';
  });
}

async function withText<T>(
  { version, body }: Snapshot,
  look: (text: Buffer) => T | string,
): Promise<T | string> {
  if (version !== SNAPSHOT_VERSION)
    return `is of version ${version}, and this program reads version ${SNAPSHOT_VERSION}`;
  try {
    return look(await decompress(body));
  } catch (error) {
    return `is damaged: ${messageOf(error)}`;
  }
}

/** One at a time: 100,000 accounts with long histories have more text than fits into one string. */
function* linesOf(text: Buffer): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    yield text.toString('utf8', from, to);
    from = to + 1;
  }
}
