/** The page's read allowance: the server allows 300 reads a minute per address, across all tabs. */

import type { StoreApi } from 'zustand/vanilla';
import type { Link } from '../market/state.ts';

/** Leaves some of the 300 for reads that a person triggers. */
const READS_PER_SECOND = 4.5;
const BURST = 10;

/** A token bucket: refilled by the clock, drained by reads. */
export class Allowance {
  readonly #now: () => number;
  #tokens = BURST;
  #filledMs: number;
  /** Pages sharing the address's reads, including this one. */
  #pages = 1;

  constructor(now: () => number) {
    this.#now = now;
    this.#filledMs = now();
  }

  /** Shares the allowance with the other visible pages. */
  shareWith(others: number): void {
    this.#fill();
    this.#pages = 1 + others;
  }

  /** Takes one read, if one is left. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Stops reads for a while after a rate-limit refusal. */
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
 * For reads outside the schedule: takes one from the allowance, and none while the page is offline. The schedule, with
 * its growing waits, finds out when the venue answers again.
 */
export function takeWhileOnline(allowance: Allowance, link: StoreApi<Link>): () => boolean {
  return () => link.getState().state !== 'offline' && allowance.take();
}
