/** From a snapshot back to the state, or to what is wrong with it (OWN-69). */

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createZstdDecompress } from 'node:zlib';
import { isSnapshotVersion, NewerLogError, Restoration, type State, stateLines } from '@venue/engine';
import { type LogReader, messageOf, type Snapshot } from '@venue/log';

/** What the body begins with says after which batch it was taken, by the hash of the batch: no other log has that. */
export type ChainedLog = Pick<LogReader, 'readBatches'>;

const PLACE = '{"batch":"';
/** In hex. */
const HASH_LENGTH = 64;
/** Of text at a time: a millisecond or two of parsing. */
const PIECE_BYTES = 256 * 1024;
/** How long the digest keeps the event loop before others get their turn. */
const TURN_MS = 5;

/** The first line of the body of a snapshot of the state after an entry. */
export async function placeLine(log: ChainedLog, seq: number): Promise<string> {
  const hash = await hashAt(log, seq);
  if (hash === undefined) throw new Error(`the batch of entry ${seq} is missing from the log`);
  return `${PLACE}${hash}"}\n`;
}

/**
 * The state of a snapshot, which has the digest that the snapshot says; or what is wrong with it, to follow its name in a
 * sentence. With a log, the snapshot has to be of that log. Reads piece by piece: a million accounts are more text than
 * should be in memory beside their state, and the event loop gets its turn in between.
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

/** What is wrong with the bytes of a snapshot, for a caller that has the state from elsewhere; null for sound ones. */
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
  /** The hash of the batch, with the first piece; undefined in a snapshot from before they had one. */
  readonly place: string | undefined;
  /** Text of the state. */
  readonly piece: Buffer;
}

/** A line of the place is much shorter than a piece, so all of it is in the first. */
async function* piecesOf(text: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let isFirst = true;
  for await (const piece of text) {
    const place = isFirst ? placeOf(piece) : undefined;
    yield { place, piece: place === undefined ? piece : piece.subarray(piece.indexOf('\n') + 1) };
    isFirst = false;
  }
}

function placeOf(text: Buffer): string | undefined {
  const from = PLACE.length;
  const isThere = text.toString('latin1', 0, from) === PLACE;
  return isThere ? text.toString('latin1', from, from + HASH_LENGTH) : undefined;
}

async function hashAt(log: ChainedLog, seq: number): Promise<string | undefined> {
  const [batch] = await log.readBatches(seq, seq);
  return batch?.hash;
}

/** Puts lines together that pieces have cut. */
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

  /** The line that no line break ends. */
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

/** As `stateDigest`, with Node's hash and turns of the event loop in between; nobody may change the state meanwhile. */
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
