/** Waiting before trying again: doubling, with jitter, up to a limit. */

export interface BackoffOptions {
  readonly firstMs?: number;
  readonly limitMs?: number;
  readonly random?: () => number;
}

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

  /** How long to wait after one more failure: between half and all of the doubled time. */
  next(): number {
    const wholeMs = Math.min(this.#limitMs, this.#firstMs * 2 ** this.#failures);
    this.#failures += 1;
    return wholeMs * (0.5 + 0.5 * this.#random());
  }

  /** It worked: the next failure starts small again. */
  reset(): void {
    this.#failures = 0;
  }
}

/** Waits, or returns early when the signal says stop; never throws. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || ms <= 0) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => resolve();
  signal.addEventListener('abort', stop);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  });
}
