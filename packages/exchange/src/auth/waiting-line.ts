/** Runs tasks one at a time, in order of arrival, with a bounded queue. */

export class WaitingLine {
  readonly #waitingMax: number;
  #inside = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Resolves with the task's result, or null immediately if the queue is full. Rejects as the task does. */
  async run<T>(task: () => Promise<T>): Promise<T | null> {
    if (this.#inside > this.#waitingMax) return null;
    this.#inside += 1;
    const result = this.#tail.then(task);
    this.#tail = result.catch(() => {});
    try {
      return await result;
    } finally {
      this.#inside -= 1;
    }
  }
}
