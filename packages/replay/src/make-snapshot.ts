/** Makes the snapshot of a state, which `restoreSnapshot` reads (OWN-54). */

import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { type State, snapshotVersion, stateLines } from '@venue/engine';
import type { Snapshot } from '@venue/log';
import { type ChainedLog, placeLine } from './restore-snapshot.ts';

/** Characters of text made at a time. */
const BLOCK_LENGTH = 256 * 1024;

/** The snapshot of a state that does not change meanwhile: its whole text is never in memory. */
export async function snapshotOfIdle(state: State, log: ChainedLog): Promise<Snapshot> {
  return snapshotFrom(textBlocks(state), state, log);
}

/** The same of its text in blocks. Reads seq and version of the state before it waits for anything. */
export async function snapshotFrom(
  blocks: Iterable<string>,
  state: State,
  log: ChainedLog,
): Promise<Snapshot> {
  const { seq } = state;
  const version = snapshotVersion(state);
  const place = await placeLine(log, seq);
  const hash = createHash('sha256');
  function* text() {
    yield place;
    for (const block of blocks) {
      hash.update(block);
      yield block;
    }
  }
  const body = await pipeline(text, createZstdCompress(), buffer);
  return { seq, version, digest: hash.update('\n').digest('hex'), body };
}

/** The lines of a state, joined; the last has no line break. */
export function* textBlocks(state: State): Generator<string> {
  let block = '';
  let separator = '';
  for (const line of stateLines(state)) {
    block += separator + line;
    separator = '\n';
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = '';
  }
  yield block;
}
