/** Serves callers one after another, in order of arrival. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /**
   * Resolves once every earlier caller has passed the turn on, which happens at the latest when the turn is disposed
   * of.
   */
  async take(): Promise<Turn> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return { pass: resolve, [Symbol.dispose]: resolve };
  }
}

export interface Turn extends Disposable {
  readonly pass: () => void;
}
