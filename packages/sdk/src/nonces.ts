/** Nonces of one session key: the time in milliseconds, and never the same one twice (SIG-4). */
export class Nonces {
  readonly #now: () => number;
  #last = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The time, or one more than the last nonce when that time is taken. */
  next(): number {
    this.#last = Math.max(this.#last + 1, this.#now());
    return this.#last;
  }
}
