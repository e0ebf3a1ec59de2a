/** A chain head that somebody noted: a log that was cut off at its end is a sound log, but a shorter one. */

import type { BatchRecord, ChainPoint } from '@venue/log';
import { BrokenLogError } from '../archive/segment.ts';
import { LogToolError } from '../archive/tool-error.ts';

/** The hash after a batch, and the entry that the batch ends with. */
export type NotedPoint = Pick<ChainPoint, 'seq' | 'hash'>;

/** Looks for a noted head among all that is read. */
export class NotedHead {
  readonly #noted: NotedPoint;

  /** Throws `LogToolError` where the noted entry is not among those that are looked at. */
  constructor(noted: NotedPoint, { start, to }: { start: NotedPoint; to: number | undefined }) {
    const { seq } = noted;
    if (seq < start.seq)
      throw new LogToolError(`entry ${seq}, whose chain head was noted, was archived; give its archive, too`);
    if (to !== undefined && to < seq)
      throw new LogToolError(`entry ${seq}, whose chain head was noted, comes after entry ${to}`);
    this.#noted = noted;
    if (seq === start.seq) this.#compare(start);
  }

  /** Batches whose hashes have been matched. Throws `BrokenLogError`. */
  see(batches: readonly BatchRecord[]): void {
    const { seq } = this.#noted;
    const batch = batches.find(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq);
    if (batch !== undefined) this.#compare({ seq: batch.lastSeq, hash: batch.hash });
  }

  /** What was read ends with `lastSeq`. Throws `BrokenLogError`. */
  finish(lastSeq: number): void {
    const { seq } = this.#noted;
    if (lastSeq >= seq) return;
    const message = `entry ${lastSeq} is the last, but a chain head was noted after entry ${seq}: the end was cut off`;
    throw new BrokenLogError({ seq: lastSeq + 1, message });
  }

  #compare({ seq, hash }: NotedPoint): void {
    if (seq === this.#noted.seq && hash === this.#noted.hash) return;
    const message = `the chain head after entry ${this.#noted.seq} is not the one that was noted: this is another past`;
    throw new BrokenLogError({ seq: this.#noted.seq, message });
  }
}
