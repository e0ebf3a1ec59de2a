/** Waits before retries: doubling, with jitter, up to a limit. */

export interface BackoffOptions {
  readonly firstMs?: number;
  readonly limitMs?: number;
  readonly random?: () => number;
}

/**
 * Growing waits: each is between half and all of twice the one before (250 ms at first, 10 s at most).
 *
 * @example
 * const backoff = new Backoff({ firstMs: 100, limitMs: 1_000 });
 * await pause(backoff.next(), new AbortController().signal);
 */
export class Backoff {
  readonly #firstMs: number;
  readonly #limitMs: number;
  readonly #random: () => number;
  #failures = 0;

  constructor({ firstMs = 250, limitMs = 10_000, random = Math.random }: BackoffOptions = {}) {
    this.#firstMs = firstMs;
    this.#limitMs = limitMs;
    this.#random = random;
  }

  /** The wait after another failure: between half and all of the doubled time. */
  next(): number {
    const wholeMs = Math.min(this.#limitMs, this.#firstMs * 2 ** this.#failures);
    this.#failures += 1;
    return wholeMs * (0.5 + 0.5 * this.#random());
  }

  /** Call after a success: the next failure starts small again. */
  reset(): void {
    this.#failures = 0;
  }
}

/**
 * Waits, or returns early when the signal aborts; never throws.
 *
 * @example await pause(10, AbortSignal.timeout(1_000))
 */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted || ms <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
