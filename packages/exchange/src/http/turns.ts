/** Lets one go after the other, in order of arrival. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves once everyone before has passed the turn on. It is passed on at the latest when it is disposed of. */
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
