/** Has pushes to one quote set leave one after another. */

import { AbortedError } from '../net/errors.ts';

export class SetTurns {
  /** Ends of the last call to each set. */
  readonly #last = new Map<number, Promise<void>>();

  /**
   * Acts once every earlier call to the set has ended, in whatever way. Throws `AbortedError` if the signal aborts before,
   * and as `act` does.
   */
  async take<T>(set: number, signal: AbortSignal | undefined, act: () => Promise<T>): Promise<T> {
    const before = this.#last.get(set) ?? Promise.resolve();
    let end = () => {};
    const own = new Promise<void>((resolve) => {
      end = resolve;
    });
    const all = before.then(() => own);
    this.#last.set(set, all);
    try {
      await Promise.race([before, abortOf(signal)]);
      return await act();
    } finally {
      end();
      if (this.#last.get(set) === all) this.#last.delete(set);
    }
  }
}

/** Rejects once the signal aborts. */
function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () =>
      reject(
        new AbortedError('ended while it waited for an earlier push', {
          cause: signal!.reason,
          neverSent: true,
        }),
      );
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
