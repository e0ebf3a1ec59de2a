/** A queue that is read by `for await`. */

/** More waits for its reader than a reader that works would leave. */
const WAITING_MAX = 16_384;

export class Queue<T> implements AsyncIterableIterator<T> {
  readonly #waiting: T[] = [];
  readonly #onReturn: () => void;
  #wake: (() => void) | null = null;
  #end: { readonly error: Error | null } | null = null;

  constructor(onReturn: () => void) {
    this.#onReturn = onReturn;
  }

  push(item: T): void {
    if (this.#end !== null) return;
    if (this.#waiting.length === WAITING_MAX) {
      this.end(new RangeError(`${WAITING_MAX} messages wait for their reader`));
      this.#onReturn();
      return;
    }
    this.#waiting.push(item);
    this.#wake?.();
  }

  /** Ends it after what waits, with an error or without. */
  end(error: Error | null = null): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    while (this.#waiting.length === 0 && this.#end === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#waiting.length > 0) return { done: false, value: this.#waiting.shift()! };
    const { error } = this.#end!;
    this.#end = { error: null };
    if (error !== null) throw error;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#waiting.length = 0;
    this.end();
    this.#onReturn();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
