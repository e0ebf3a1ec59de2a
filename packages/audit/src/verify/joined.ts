/** Joins archives and a log into one sequence. Each must continue from the hash that the one before it ends with. */

import { type BatchRecord, CHAIN_ORIGIN, type ChainPoint, ChainVerifier, type LogEntry } from '@venue/log';
import { BrokenLogError, provenPages, type Segment } from '../archive/segment.ts';
import { NotedHead, type NotedPoint } from './noted-head.ts';

export interface JoinedOptions {
  readonly to?: number | undefined;
  /** A chain head noted earlier. The entries must pass through it. */
  readonly head?: NotedPoint | undefined;
}

export class Joined {
  readonly #segments: readonly Segment[];
  readonly #to: number;
  readonly #noted: NotedHead | undefined;
  /** The segments' common stamp, by key. */
  readonly stamp: ReadonlyMap<string, string>;
  #point: ChainPoint;

  /**
   * Takes at least one segment, in the order of their entries. Only a log, at the end, may overlap with an archive. No
   * further segment is opened once the batch with entry `to` has been read. Throws `LogToolError` for a noted head
   * outside the range.
   */
  constructor(segments: readonly Segment[], { to, head }: JoinedOptions = {}) {
    this.#segments = segments;
    this.#to = to ?? Number.MAX_SAFE_INTEGER;
    this.#point = segments[0]!.after;
    this.stamp = stampOf(segments);
    this.#noted = head && new NotedHead(head, { start: this.start, to });
  }

  /** The point in the chain that the first entry continues from. */
  get start(): ChainPoint {
    return this.#segments[0]!.after;
  }

  /** The end of the last batch read. */
  get point(): ChainPoint {
    return this.#point;
  }

  /** The last entry expected, or undefined if unknown. */
  get lastSeq(): number | undefined {
    const { lastSeq } = this.#segments.at(-1)!;
    return lastSeq === undefined ? undefined : Math.min(lastSeq, this.#to);
  }

  /** Yields every entry once, as soon as its batch's hash has matched. Throws `BrokenLogError`. */
  async *entries(): AsyncGenerator<readonly LogEntry[]> {
    const { seq, hash } = this.start;
    const [first] = this.#segments;
    if (seq === 0 && hash !== CHAIN_ORIGIN.hash)
      throw broken(1, `${first!.name} does not begin where a log begins`);
    for (const [i, segment] of this.#segments.entries()) {
      if (this.#point.seq >= this.#to) break;
      if (i > 0) this.#checkPlace(segment, this.#segments[i - 1]!.name);
      yield* this.#read(segment);
    }
    this.#noted?.finish(this.#point.seq);
  }

  #checkPlace({ name, after, stamp, isLog }: Segment, before: string): void {
    const { seq, hash } = this.#point;
    const [next, first] = [seq + 1, after.seq + 1];
    if (after.seq > seq) {
      const gap = after.seq === next ? `entry ${next} is` : `entries ${next} to ${after.seq} are`;
      throw broken(next, `${gap} missing between ${before} and ${name}`);
    }
    if (after.seq < seq && !isLog)
      throw broken(first, `${name} begins at entry ${first}, where entry ${next} has to come`);
    for (const [key, value] of stamp) {
      if (this.stamp.get(key) === value) continue;
      throw broken(
        next,
        `${name}, looked at from entry ${next} on, is of another venue: it is stamped ${key}=${value}`,
      );
    }
    if (after.seq === seq && after.hash !== hash) throw doesNotContinue(this.#point, name, before);
  }

  /** Where the segment overlaps with an earlier one, checks only that both have the same hashes. */
  async *#read(segment: Segment): AsyncGenerator<readonly LogEntry[]> {
    const { name, after } = segment;
    const known = this.#point;
    const verifier = new ChainVerifier(after);
    for await (const { batches, entries } of provenPages(segment, verifier)) {
      if (after.seq < known.seq && !endsThere(batches, known))
        throw doesNotContinue(known, name, 'the archives');
      this.#noted?.see(batches);
      if (verifier.verified.seq <= known.seq) continue;
      this.#point = verifier.verified;
      yield entries.filter(({ seq }) => seq > known.seq);
    }
    if (verifier.verified.seq < known.seq)
      throw broken(
        verifier.verified.seq + 1,
        `entry ${verifier.verified.seq + 1} is in an archive and not in ${name}, which ends before it`,
      );
  }
}

/** Sorted by key. If two segments disagree, the first wins here, and `entries` reports the later one. */
function stampOf(segments: readonly Segment[]): ReadonlyMap<string, string> {
  const pairs = segments.flatMap(({ stamp }) => [...stamp]);
  return new Map(pairs.reverse().sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** False if one of the batches contains the point's entry but ends elsewhere or with another hash. */
function endsThere(batches: readonly BatchRecord[], { seq, hash }: ChainPoint): boolean {
  const batch = batches.find(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq);
  return batch === undefined || (batch.lastSeq === seq && batch.hash === hash);
}

function doesNotContinue({ seq }: ChainPoint, name: string, before: string): BrokenLogError {
  return broken(
    seq + 1,
    `${name} does not continue ${before} at entry ${seq + 1}: the chains of hashes are not the same`,
  );
}

function broken(seq: number, message: string): BrokenLogError {
  return new BrokenLogError({ seq, message });
}
