/** How often a page may ask: the edge counts 300 reads a minute for an address, whatever tabs they come from. */

import type { StoreApi } from 'zustand/vanilla';
import type { Link } from '../stores.ts';

/** Of the 300, some are left to reads that a person asks for. */
const READS_PER_SECOND = 4.5;
const BURST = 10;

/** A bucket that fills by the clock and is emptied by reads. */
export class Allowance {
  readonly #now: () => number;
  #tokens = BURST;
  #filledMs: number;
  /** Pages that share the address's reads, this one included. */
  #pages = 1;

  constructor(now: () => number) {
    this.#now = now;
    this.#filledMs = now();
  }

  /** Other pages that look at the venue now each take their share. */
  shareWith(others: number): void {
    this.#fill();
    this.#pages = 1 + others;
  }

  /** Takes one read, if there is one to take. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** After a refusal for asking too often: nothing more for that long. */
  pause(ms: number): void {
    this.#fill();
    this.#tokens = Math.min(this.#tokens, 0) - (ms / 1_000) * this.#rate;
  }

  get #rate(): number {
    return READS_PER_SECOND / this.#pages;
  }

  #fill(): void {
    const nowMs = this.#now();
    const elapsedMs = Math.max(0, nowMs - this.#filledMs);
    this.#filledMs = nowMs;
    this.#tokens = Math.min(BURST, this.#tokens + (elapsedMs / 1_000) * this.#rate);
  }
}

/**
 * For what is read beside the schedule: one read out of the allowance, and none while the page is offline. When the venue
 * answers again the schedule finds out, at its own growing distances.
 */
export function takeWhileOnline(allowance: Allowance, link: StoreApi<Link>): () => boolean {
  return () => link.getState().state !== 'offline' && allowance.take();
}
