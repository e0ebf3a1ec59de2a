/// <reference lib="esnext.disposable" preserve="true" />

/** A dead man's switch at the venue: while it is renewed nothing happens, and once it is not, all orders leave. */

import type { WriteOptions } from './batches.ts';
import type { Handlers } from './handlers.ts';

/** A renewal failed. */
export interface GuardFailure {
  readonly error: Error;
  /** Time until the orders leave, if no renewal succeeds before; negative once they have. */
  readonly leftMs: number;
}

export interface GuardOptions {
  /** Called for every renewal that fails; it is tried again. */
  readonly onFailure?: (failure: GuardFailure) => void;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

interface GuardParts extends GuardOptions {
  readonly send: (ms: number, bounds: WriteOptions) => Promise<void>;
  readonly handlers: Handlers;
}

/**
 * When a renewal begins, how long it may take and how long the next one waits after a failure, as shares of the guard.
 * Three renewals that all fail by their time limit are over before the guard is due.
 */
const RENEW_AFTER = 1 / 3;
const TIME_LIMIT = 1 / 6;
const PAUSE = 1 / 24;

export class Guard {
  readonly #ms: number;
  readonly #parts: GuardParts;
  readonly #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueMs = 0;

  constructor(ms: number, parts: GuardParts) {
    this.#ms = ms;
    this.#parts = parts;
    parts.signal?.addEventListener('abort', () => void this.stop(), {
      once: true,
      signal: this.#stop.signal,
    });
  }

  /** Sets it for the first time, and begins to renew it. Throws if it cannot be set. */
  async set(): Promise<void> {
    const { signal } = this.#parts;
    await this.#send(signal === undefined ? {} : { signal });
    if (signal?.aborted) await this.stop();
    else this.#renewIn(this.#dueMs - performance.now() - this.#ms * (1 - RENEW_AFTER));
  }

  /** Time until the orders leave, unless it is renewed before. */
  get leftMs(): number {
    return this.#dueMs - performance.now();
  }

  /**
   * Ends its renewal at once, also one that hangs. It still stands at the venue, so that all orders of the account
   * leave when it is due; `remove` keeps them.
   *
   * @example
   * const guard = await venue.orders.guard(30_000);
   * await guard.stop();
   */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  /**
   * Ends its renewal and removes it, so that orders go on resting unguarded. A renewal that was under way may arrive
   * later, and the guard then stands once more until it is due. Throws if the venue does not answer.
   *
   * @example
   * const guard = await venue.orders.guard(30_000);
   * await guard.remove();
   */
  async remove(): Promise<void> {
    await this.stop();
    await this.#parts.send(0, {});
  }

  /** Same as `stop`: `await using` ends the renewal where the block ends, however it ends. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #send(bounds: WriteOptions): Promise<void> {
    // The venue counts from when it carries it out, which is later.
    const sentMs = performance.now();
    await this.#parts.send(this.#ms, bounds);
    this.#dueMs = sentMs + this.#ms;
  }

  #renewIn(waitMs: number): void {
    if (this.#stop.signal.aborted) return;
    const timer = setTimeout(() => void this.#renew(), Math.max(0, waitMs));
    this.#timer = timer;
    // A process with nothing else to do ends, and its guard with it. Browsers have numbers for timers.
    (timer as { unref?: () => void }).unref?.();
  }

  async #renew(): Promise<void> {
    const { handlers, onFailure } = this.#parts;
    try {
      await this.#send({ signal: this.#stop.signal, timeoutMs: this.#ms * TIME_LIMIT, retryMs: 0 });
      this.#renewIn(this.#ms * RENEW_AFTER);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#renewIn(this.#ms * PAUSE);
      handlers.call(() => onFailure?.({ error: error as Error, leftMs: this.leftMs }));
    }
  }
}
