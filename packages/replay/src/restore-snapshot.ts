/** Restores the state from a snapshot, or describes what is wrong with the snapshot (OWN-69). */

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createZstdDecompress } from 'node:zlib';
import { isSnapshotVersion, NewerLogError, Restoration, type State, stateLines } from '@venue/engine';
import { type LogReader, messageOf, type Snapshot } from '@venue/log';

export type ChainedLog = Pick<LogReader, 'readBatches'>;

/** How the first line begins: it gives the hash of the batch that the snapshot follows, which no other log has. */
const PLACE = '{"batch":"';
/** In hex. */
const HASH_LENGTH = 64;
/** Bytes of text per step: a millisecond or two of parsing. */
const PIECE_BYTES = 256 * 1024;
/** How long the digest may hold the event loop before it gives others a turn. */
const TURN_MS = 5;

/** Makes the first line of a snapshot's body, for a snapshot of the state after an entry. */
export async function placeLine(log: ChainedLog, seq: number): Promise<string> {
  const hash = await hashAt(log, seq);
  if (hash === undefined) throw new Error(`the batch of entry ${seq} is missing from the log`);
  return `${PLACE}${hash}"}\n`;
}

/**
 * Returns the snapshot's state, whose digest has been checked, or the fault as the predicate of a sentence about the
 * snapshot. If a log is given, the snapshot must belong to it. Reads piece by piece: the text of a million accounts
 * should not be in memory beside their state, and the event loop gets its turn in between.
 */
export async function restoreSnapshot(snapshot: Snapshot, log?: ChainedLog): Promise<State | string> {
  const { seq, digest } = snapshot;
  const known = log && (await hashAt(log, seq));
  return reading(snapshot, async (text) => {
    const lines = new Lines();
    const restoration = new Restoration();
    for await (const { place, piece } of piecesOf(text)) {
      if (log !== undefined && place !== undefined && place !== known) return 'is of another log';
      for (const line of lines.of(piece)) restoration.add(line);
    }
    for (const line of lines.last()) restoration.add(line);
    const state = restoration.end();
    if (state.seq !== seq) return `is damaged: it holds the state after entry ${state.seq}`;
    return (await digestOf(state)) === digest ? state : 'is damaged: its state has another digest';
  });
}

/** Checks only the bytes of a snapshot, for a caller that has the state from elsewhere. Returns the fault, or null. */
export async function bodyFault(snapshot: Snapshot): Promise<string | null> {
  return reading(snapshot, async (text) => {
    const hash = createHash('sha256');
    for await (const { piece } of piecesOf(text)) hash.update(piece);
    const found = hash.update('\n').digest('hex');
    return found === snapshot.digest ? null : 'is damaged: its body has another digest';
  });
}

async function reading<T>(
  { version, body }: Snapshot,
  read: (text: AsyncIterable<Buffer>) => Promise<T | string>,
): Promise<T | string> {
  if (!isSnapshotVersion(version)) return `is of version ${version}, which this program does not read`;
  try {
    const text = createZstdDecompress({ chunkSize: PIECE_BYTES });
    text.end(body);
    return await read(text);
  } catch (error) {
    if (error instanceof NewerLogError) throw error;
    return `is damaged: ${messageOf(error)}`;
  }
}

interface Piece {
  /** The hash of the batch, in the first piece; null where that has none, undefined in later ones. */
  readonly place: string | null | undefined;
  /** Part of the state's text. */
  readonly piece: Buffer;
}

/** The line with the hash is much shorter than a piece, so the first piece contains all of it. */
async function* piecesOf(text: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let isFirst = true;
  for await (const piece of text) {
    const place = isFirst ? placeOf(piece) : undefined;
    yield { place, piece: place == null ? piece : piece.subarray(piece.indexOf('\n') + 1) };
    isFirst = false;
  }
}

function placeOf(text: Buffer): string | null {
  const from = PLACE.length;
  const isThere = text.toString('latin1', 0, from) === PLACE;
  return isThere ? text.toString('latin1', from, from + HASH_LENGTH) : null;
}

async function hashAt(log: ChainedLog, seq: number): Promise<string | undefined> {
  const [batch] = await log.readBatches(seq, seq);
  return batch?.hash;
}

/** Joins lines that were cut between pieces. */
class Lines {
  #begun: Buffer[] = [];

  *of(piece: Buffer): Generator<string> {
    let from = 0;
    for (let to = piece.indexOf('\n'); to !== -1; to = piece.indexOf('\n', from)) {
      yield this.#end(piece.subarray(from, to));
      from = to + 1;
    }
    if (from < piece.length) this.#begun.push(piece.subarray(from));
  }

  /** The rest after the last line break. */
  *last(): Generator<string> {
    if (this.#begun.length > 0) yield this.#end(NOTHING);
  }

  #end(rest: Buffer): string {
    if (this.#begun.length === 0) return rest.toString();
    const line = Buffer.concat([...this.#begun, rest]).toString();
    this.#begun = [];
    return line;
  }
}

const NOTHING = Buffer.alloc(0);

/** Like `stateDigest`, but with Node's hash, and it yields to the event loop. The state must not change meanwhile. */
async function digestOf(state: State): Promise<string> {
  const hash = createHash('sha256');
  let untilMs = performance.now() + TURN_MS;
  for (const line of stateLines(state)) {
    hash.update(line).update('\n');
    if (performance.now() < untilMs) continue;
    await setImmediate();
    untilMs = performance.now() + TURN_MS;
  }
  return hash.digest('hex');
}
