/** Reports lasting conditions without repeating them all the time. */

const REMIND_MS = 60_000;

/** Reports a condition once, again when it changes, and every minute while it lasts. */
export class Reminder {
  readonly #log: (line: string) => void;
  #line = '';
  #saidAtMs = 0;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  say(line: string): void {
    const nowMs = performance.now();
    if (line === this.#line && nowMs - this.#saidAtMs < REMIND_MS) return;
    this.#log(line);
    this.#line = line;
    this.#saidAtMs = nowMs;
  }

  /** The condition is over; logs `line` if there was one. */
  over(line?: string): void {
    if (this.#line !== '' && line !== undefined) this.#log(line);
    this.#line = '';
  }
}
