/** A wait that an event can cut short. */

/** Remembers an event that comes while nobody waits. */
export class Waker {
  #isDue = false;
  #wake: (() => void) | null = null;

  wake(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  /** Returns `minMs` after it started if woken, `maxMs` after it otherwise, or when the signal aborts. */
  async wait({ minMs, maxMs, signal }: { minMs: number; maxMs: number; signal: AbortSignal }): Promise<void> {
    await this.#sleep(minMs, signal, false);
    await this.#sleep(maxMs - minMs, signal, true);
    this.#isDue = false;
  }

  async #sleep(ms: number, signal: AbortSignal, isLight: boolean): Promise<void> {
    if (signal.aborted || (isLight && this.#isDue)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const stop = () => resolve();
    signal.addEventListener('abort', stop);
    if (isLight) this.#wake = resolve;
    await promise;
    this.#wake = null;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
