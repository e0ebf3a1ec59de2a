/** The public stream: every client must receive these bytes, and each frame belongs to a tick. */

import assert from 'node:assert/strict';
import type { StreamFrame } from '@venue/protocol';
import { FILLS_A_TICK, fillOfQty, SYMBOLS, tickOf, tickOfSpot } from './plan.ts';

const BYTES_AT_FIRST = 1 << 20;

export class Told {
  #bytes = Buffer.allocUnsafe(BYTES_AT_FIRST);
  #length = 0;
  /** The end of each frame, and the planned time of its tick. */
  readonly ends: number[] = [];
  readonly plannedMs: number[] = [];
  readonly #ticksMs: readonly number[];
  readonly #fills = new Set<number>();
  #spotsTick = -1;

  /** `ticksMs` has the planned time of each tick, and may grow. */
  constructor(ticksMs: readonly number[]) {
    this.#ticksMs = ticksMs;
  }

  get length(): number {
    return this.#length;
  }

  /** Frames that no client received up to the end of a tick. */
  missing(tick: number): number {
    return (tick + 1) * FILLS_A_TICK - this.#fills.size + (this.#spotsTick < tick ? 1 : 0);
  }

  /** True when the bytes equal the stream from the offset on, as far as it is known. */
  equals(offset: number, data: Buffer, start: number, end: number): boolean {
    return this.#bytes.compare(data, start, end, offset, offset + end - start) === 0;
  }

  /** Appends a new frame: a fill's first print, or spots that moved on. */
  append(frame: Buffer, payload: Buffer): void {
    while (this.#length + frame.length > this.#bytes.length) this.#bytes = doubled(this.#bytes);
    this.#length += frame.copy(this.#bytes, this.#length);
    this.ends.push(this.#length);
    this.plannedMs.push(this.#plannedOf(JSON.parse(payload.toString()) as StreamFrame));
  }

  #plannedOf(frame: StreamFrame): number {
    if (frame.type === 'tape') {
      const fill = fillOfQty(frame.print.qty);
      assert.ok(!this.#fills.has(fill), `fill ${fill} was told twice`);
      this.#fills.add(fill);
      return this.#momentOf(tickOf(fill));
    }
    assert.equal(frame.type, 'spots');
    const { spots } = frame;
    assert.deepEqual(
      spots.map(({ symbol }) => symbol),
      SYMBOLS,
    );
    const tick = tickOfSpot(0, spots[0]!.spot);
    assert.ok(spots.every(({ spot }, symbol) => tickOfSpot(symbol, spot) === tick));
    assert.ok(tick > this.#spotsTick, 'spots did not move on');
    // If it covers several moves, the first of them has waited longest.
    const first = this.#spotsTick + 1;
    this.#spotsTick = tick;
    return this.#momentOf(first);
  }

  #momentOf(tick: number): number {
    const momentMs = this.#ticksMs[tick];
    assert.ok(momentMs !== undefined, `a frame of tick ${tick}, which was not planned`);
    return momentMs;
  }
}

function doubled(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(2 * bytes.length);
  bytes.copy(larger);
  return larger;
}
