/** From a snapshot back to the state, or to what is wrong with it (OWN-69). */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { isSnapshotVersion, NewerLogError, restoreState, type State, stateLines } from '@venue/engine';
import type { LogReader, Snapshot } from '@venue/log';
import { messageOf } from './error-message.ts';

const decompress = promisify(zstdDecompress);

/** What the body begins with says after which batch it was taken, by the hash of the batch: no other log has that. */
export type ChainedLog = Pick<LogReader, 'readBatches'>;

const PLACE = '{"batch":"';
/** In hex. */
const HASH_LENGTH = 64;

/** The first line of the body of a snapshot of the state after an entry. */
export async function placeLine(log: ChainedLog, seq: number): Promise<string> {
  const hash = await hashAt(log, seq);
  if (hash === undefined) throw new Error(`the batch of entry ${seq} is missing from the log`);
  return `${PLACE}${hash}"}\n`;
}

/**
 * The state of a snapshot, which has the digest that the snapshot says; or what is wrong with it, to follow its name in a
 * sentence. With a log, the snapshot has to be of that log.
 */
export async function restoreSnapshot(snapshot: Snapshot, log?: ChainedLog): Promise<State | string> {
  const { seq, digest } = snapshot;
  const known = log && (await hashAt(log, seq));
  return withText(snapshot, (text, place) => {
    if (log !== undefined && place !== undefined && place !== known) return 'is of another log';
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
  look: (text: Buffer, place: string | undefined) => T | string,
): Promise<T | string> {
  if (!isSnapshotVersion(version)) return `is of version ${version}, which this program does not read`;
  try {
    const whole = await decompress(body);
    const place = placeOf(whole);
    return look(place === undefined ? whole : whole.subarray(whole.indexOf('\n') + 1), place);
  } catch (error) {
    if (error instanceof NewerLogError) throw error;
    return `is damaged: ${messageOf(error)}`;
  }
}

/** Undefined for a snapshot that was taken before they said so. */
function placeOf(text: Buffer): string | undefined {
  const from = PLACE.length;
  const isThere = text.toString('latin1', 0, from) === PLACE;
  return isThere ? text.toString('latin1', from, from + HASH_LENGTH) : undefined;
}

async function hashAt(log: ChainedLog, seq: number): Promise<string | undefined> {
  const [batch] = await log.readBatches(seq, seq);
  return batch?.hash;
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
