/// <reference lib="esnext.disposable" preserve="true" />

/** A dead man's switch at the venue: while it is renewed nothing happens, and once it is not, all orders leave. */

import type { OrderRecord } from '@venue/protocol';
import { Backoff, pause } from '../net/backoff.ts';
import type { Handlers } from '../net/handlers.ts';
import { waitAsked } from '../net/transport.ts';
import type { WriteOptions } from './batches.ts';

/** A renewal failed. */
export interface GuardFailure {
  readonly error: Error;
  /** Time until the orders leave, if no renewal succeeds before; negative once they have. */
  readonly leftMs: number;
}

/** The guard came due before it was renewed, as where the process stood still: what rested until then has left. */
export interface GuardLapse {
  /** When it was due, in unix milliseconds by the client's clock. */
  readonly dueAtMs: number;
  /** The orders that left, newest first, of 10,000 closed ones at most; null if they cannot be read. */
  readonly orders: readonly OrderRecord[] | null;
}

export interface GuardOptions {
  /** Called for every renewal that fails; it is tried again. */
  readonly onFailure?: (failure: GuardFailure) => void;
  /** Called once a renewal succeeds too late; the guard stands again. By default `onHandlerError` is told. */
  readonly onLapse?: (lapse: GuardLapse) => void;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

interface GuardParts extends GuardOptions {
  readonly send: (ms: number, bounds: WriteOptions) => Promise<void>;
  /** The orders that a guard took from this time of the client's clock on, newest first. */
  readonly takenSince: (sinceMs: number) => Promise<OrderRecord[]>;
  readonly now: () => number;
  readonly handlers: Handlers;
}

/**
 * When a renewal begins, how long it may take and how long the next one waits after a failure, as shares of the guard.
 * Three renewals that all fail by their time limit are over before the guard is due.
 */
const RENEW_AFTER = 1 / 3;
const TIME_LIMIT = 1 / 6;
const PAUSE = 1 / 24;
/** The orders of a lapse are asked for so often: the history of a venue that has just started may be behind. */
const READS_MAX = 5;
const READ_AGAIN = { firstMs: 1_000 };

/** When the guard that stands is due. */
interface Deadline {
  /** At the soonest, by the clock of `performance`. */
  readonly dueMs: number;
  /** The same by the client's clock, which goes on while a machine sleeps. */
  readonly dueAtMs: number;
  readonly latestDueMs: number;
}

export class Guard {
  readonly #ms: number;
  readonly #parts: GuardParts;
  readonly #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline: Deadline | null = null;

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
    else this.#renewIn(this.leftMs - this.#ms * (1 - RENEW_AFTER));
  }

  /** Time until the orders leave, unless it is renewed before. */
  get leftMs(): number {
    return (this.#deadline?.dueMs ?? 0) - performance.now();
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
    const sentAtMs = this.#parts.now();
    await this.#parts.send(this.#ms, bounds);
    const before = this.#deadline;
    this.#deadline = {
      dueMs: sentMs + this.#ms,
      dueAtMs: sentAtMs + this.#ms,
      latestDueMs: performance.now() + this.#ms,
    };
    if (before !== null && (performance.now() >= before.dueMs || this.#parts.now() >= before.dueAtMs))
      // Reading the orders may take longer than the guard, whose next renewal must not wait for it.
      void this.#tellIfLapsed(before, sentMs);
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

  /** A renewal that was sent in time, or by a clock that was set, may have been carried out in time: orders tell. */
  async #tellIfLapsed({ dueAtMs, latestDueMs }: Deadline, sentMs: number): Promise<void> {
    const { handlers, onLapse } = this.#parts;
    const orders = await this.#taken(dueAtMs);
    if (orders?.length === 0 && sentMs < latestDueMs) return;
    handlers.call(() => {
      if (onLapse === undefined)
        throw new Error(`the guard was due at ${new Date(dueAtMs).toISOString()}, and its orders have left`);
      onLapse({ dueAtMs, orders });
    });
  }
  /** Null where they cannot be read. */
  async #taken(dueAtMs: number): Promise<OrderRecord[] | null> {
    const backoff = new Backoff(READ_AGAIN);
    for (let reads = 1; ; reads += 1) {
      try {
        return await this.#parts.takenSince(dueAtMs);
      } catch (error) {
        const waitMs = Math.max(waitAsked(error), backoff.next());
        if (waitMs === Infinity || reads === READS_MAX || this.#stop.signal.aborted) return null;
        await pause(waitMs, this.#stop.signal);
      }
    }
  }
}
