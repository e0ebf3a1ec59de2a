/**
 * Runs tasks one at a time, in turns: one of everybody who waits before a second of anybody. A client that asks a lot
 * waits behind itself.
 */

interface Waiting {
  readonly start: () => Promise<void>;
  readonly refuse: () => void;
}

export class WaitingLine {
  readonly #waitingMax: number;
  /** The tasks of each, oldest first; whose turn is next comes first. */
  readonly #lines = new Map<string, Waiting[]>();
  #waiting = 0;
  #isBusy = false;

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /**
   * Resolves with the task's result, or null without running it. That happens once more wait than there is room for, to the
   * newest task of the client with most of them; among equals to the newcomer's. Rejects as the task does.
   */
  run<T>(whose: string, task: () => Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const start = () => task().then(resolve, reject);
      this.#join(whose, { start, refuse: () => resolve(null) });
      if (this.#isBusy && this.#waiting > this.#waitingMax) this.#refuseOne(whose);
      this.#next();
    });
  }

  #join(whose: string, waiting: Waiting): void {
    const line = this.#lines.get(whose);
    if (line === undefined) this.#lines.set(whose, [waiting]);
    else line.push(waiting);
    this.#waiting += 1;
  }

  #refuseOne(newcomer: string): void {
    let [longest, most] = [newcomer, this.#lines.get(newcomer)!.length];
    for (const [whose, { length }] of this.#lines) if (length > most) [longest, most] = [whose, length];
    const line = this.#lines.get(longest)!;
    line.pop()!.refuse();
    this.#waiting -= 1;
    if (line.length === 0) this.#lines.delete(longest);
  }

  #next(): void {
    const [first] = this.#lines;
    if (this.#isBusy || first === undefined) return;
    const [whose, line] = first;
    this.#lines.delete(whose);
    const { start } = line.shift()!;
    if (line.length > 0) this.#lines.set(whose, line);
    this.#waiting -= 1;
    this.#isBusy = true;
    void start().finally(() => {
      this.#isBusy = false;
      this.#next();
    });
  }
}
