/** Seeded randomness: the same seed gives the same market. */

/** A small fast counter-based generator (sfc32) with uniform, normal and exponential deviates. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  #spareNormal: number | null = null;

  /** Any safe integer is a seed. */
  constructor(seed: number) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    this.#c = 0x9e3779b9;
    for (let round = 0; round < 15; round++) this.#next32();
  }

  /** Uniform in [0, 1), 53 bits. */
  uniform(): number {
    return ((this.#next32() >>> 5) * 2 ** 26 + (this.#next32() >>> 6)) / 2 ** 53;
  }

  /** Standard normal, by the polar method: deviates come in pairs, and the second is kept for the next call. */
  normal(): number {
    const spare = this.#spareNormal;
    if (spare !== null) {
      this.#spareNormal = null;
      return spare;
    }
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const square = x * x + y * y;
      if (square === 0 || square >= 1) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      this.#spareNormal = y * scale;
      return x * scale;
    }
  }

  /** Exponential with the given mean: the waiting time for a random event. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  #next32(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }
}
