/** Checks a chain head that somebody noted earlier. Nothing else reveals that the end of a log was cut off. */

import type { BatchRecord, ChainPoint } from '@venue/log';
import { BrokenLogError } from '../archive/segment.ts';
import { LogToolError } from '../archive/tool-error.ts';

/** The last entry of a batch, and the chain's hash after it. */
export type NotedPoint = Pick<ChainPoint, 'seq' | 'hash'>;

/** Looks for the noted head among the batches read. */
export class NotedHead {
  readonly #noted: NotedPoint;

  /** Throws `LogToolError` if the noted entry is outside the range to be read. */
  constructor(noted: NotedPoint, { start, to }: { start: NotedPoint; to: number | undefined }) {
    const { seq } = noted;
    if (seq < start.seq)
      throw new LogToolError(`entry ${seq}, whose chain head was noted, was archived; give its archive, too`);
    if (to !== undefined && to < seq)
      throw new LogToolError(`entry ${seq}, whose chain head was noted, comes after entry ${to}`);
    this.#noted = noted;
    if (seq === start.seq) this.#compare(start);
  }

  /** Takes batches whose hashes have matched. Throws `BrokenLogError` if one contradicts the noted head. */
  see(batches: readonly BatchRecord[]): void {
    const { seq } = this.#noted;
    const batch = batches.find(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq);
    if (batch !== undefined) this.#compare({ seq: batch.lastSeq, hash: batch.hash });
  }

  /** Call after the last entry. Throws `BrokenLogError` if the noted entry was not reached. */
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
