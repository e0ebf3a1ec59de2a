/** Calls what the user of the client gave it, so that an error there stays there. */

/** Where errors of handlers go; by default to `console.error`. */
export type OnHandlerError = (error: unknown) => void;

/**
 * Calls handlers and hooks. What one throws or rejects with is told, and neither ends the process nor the stream,
 * renewal or request that called it.
 */
export class Handlers {
  readonly #onError: OnHandlerError;

  constructor(onError: OnHandlerError = (error) => console.error(error)) {
    this.#onError = onError;
  }

  /** The handler's result, or undefined if it threw. */
  call<T, A extends readonly unknown[] = []>(handler: (...args: A) => T, ...args: A): T | undefined {
    try {
      const result = handler(...args);
      if (result instanceof Promise) result.catch((error) => this.#tell(error));
      return result;
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  }

  #tell(error: unknown): void {
    try {
      this.#onError(error);
    } catch {
      // The handler of errors has failed too, so nobody is left to be told.
    }
  }
}
