/** Those who wait for what this node does not have yet (STR-4, FOL-5). */

interface Waiter {
  readonly isReached: () => boolean;
  readonly resolve: (isReached: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/** The longest wait: a node that is so far behind its log answers nobody. */
export const WAIT_MS_MAX = 5_000;

export class EntryWaits {
  readonly #waiters = new Set<Waiter>();
  readonly #limitMs: number;

  constructor(limitMs = WAIT_MS_MAX) {
    this.#limitMs = limitMs;
  }

  /** Resolves with true once it is so, or with false when that takes too long. */
  until(isReached: () => boolean): Promise<boolean> {
    if (isReached()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end(waiter, false), this.#limitMs);
      const waiter: Waiter = { isReached, resolve, timer };
      this.#waiters.add(waiter);
    });
  }

  /** Call it when entries were applied. */
  applied(): void {
    for (const waiter of this.#waiters) if (waiter.isReached()) this.#end(waiter, true);
  }

  /** Has nobody wait any longer. */
  stop(): void {
    for (const waiter of this.#waiters) this.#end(waiter, false);
  }

  #end(waiter: Waiter, isReached: boolean): void {
    clearTimeout(waiter.timer);
    this.#waiters.delete(waiter);
    waiter.resolve(isReached);
  }
}
