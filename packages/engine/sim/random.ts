/** Reproducible randomness: the sfc32 generator, which needs only 32-bit integers. */

export class Random {
  #a: number;
  #b: number;
  #c = 0x9e3779b9;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    // Neighbouring seeds diverge only after some rounds.
    for (let round = 0; round < 16; round++) this.next();
  }

  /** A whole number from 0 to 2^32 - 1. */
  next(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** From 0 up to, but excluding, 1. */
  unit(): number {
    return this.next() / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(this.unit() * choices.length)];
    if (chosen === undefined) throw new Error('nothing to pick from');
    return chosen;
  }

  /** One of the choices, with a probability proportional to its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let at = this.unit() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      at -= weight;
      if (at < 0) return choice;
    }
    return choices.at(-1)![1];
  }
}
