/** Archives and a log as one: each has to continue from the very hash that the one before it ends with. */

import { type BatchRecord, CHAIN_ORIGIN, type ChainPoint, ChainVerifier, type LogEntry } from '@venue/log';
import { BrokenLogError, provenPages, type Segment } from '../archive/segment.ts';
import { NotedHead, type NotedPoint } from './noted-head.ts';

export interface JoinedOptions {
  readonly to?: number | undefined;
  /** A chain head noted earlier, which must be met on the way. */
  readonly head?: NotedPoint | undefined;
}

export class Joined {
  readonly #segments: readonly Segment[];
  readonly #to: number;
  readonly #noted: NotedHead | undefined;
  /** What the segments are stamped with, by key. */
  readonly stamp: ReadonlyMap<string, string>;
  #point: ChainPoint;

  /**
   * At least one segment, in the order of their entries; only a log at their end may still hold what an archive holds.
   * None is begun once the batch with entry `to` has been read. Throws `LogToolError` for a noted head that lies outside.
   */
  constructor(segments: readonly Segment[], { to, head }: JoinedOptions = {}) {
    this.#segments = segments;
    this.#to = to ?? Number.MAX_SAFE_INTEGER;
    this.#point = segments[0]!.after;
    this.stamp = stampOf(segments);
    this.#noted = head && new NotedHead(head, { start: this.start, to });
  }

  /** What the first entry continues from. */
  get start(): ChainPoint {
    return this.#segments[0]!.after;
  }

  /** The end of the last batch that was read. */
  get point(): ChainPoint {
    return this.#point;
  }

  /** The last entry there should be, if that can be told. */
  get lastSeq(): number | undefined {
    const { lastSeq } = this.#segments.at(-1)!;
    return lastSeq === undefined ? undefined : Math.min(lastSeq, this.#to);
  }

  /** Every entry once, as soon as it is proven. Throws `BrokenLogError`. */
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

  /** What was read before, of another segment, is held against its hash alone. */
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

/** Sorted by key; where two segments disagree, `entries` names the later one. */
function stampOf(segments: readonly Segment[]): ReadonlyMap<string, string> {
  const pairs = segments.flatMap(({ stamp }) => [...stamp]);
  return new Map(pairs.reverse().sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** False where the batch that holds the entry of the point is among these and ends elsewhere, or with another hash. */
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
