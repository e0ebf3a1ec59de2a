/** Histogram of frame delays by the millisecond, so that many millions of them take no space. */

import { FRAME_LIMIT_MS } from './plan.ts';

const COUNTED_MS = 60_000;

export interface DelayReport {
  readonly frames: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** Frames that came after the limit. */
  readonly late: number;
}

export class Delays {
  readonly #counts = new Uint32Array(COUNTED_MS + 1);
  #frames = 0;
  #longestMs = 0;

  add(ms: number): void {
    this.#counts[Math.min(COUNTED_MS, Math.ceil(ms))]! += 1;
    this.#frames += 1;
    if (ms > this.#longestMs) this.#longestMs = ms;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#frames = 0;
    this.#longestMs = 0;
  }

  get report(): DelayReport {
    const late = this.#counts.subarray(FRAME_LIMIT_MS + 1).reduce((sum, count) => sum + count, 0);
    const [p50Ms, p99Ms] = [this.#quantileMs(0.5), this.#quantileMs(0.99)];
    return { frames: this.#frames, p50Ms, p99Ms, longestMs: this.#longestMs, late };
  }

  #quantileMs(share: number): number {
    let below = 0;
    return this.#counts.findIndex((count) => {
      below += count;
      return below >= share * this.#frames;
    });
  }
}
