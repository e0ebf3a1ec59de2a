/** Seeded randomness: with one seed and one market, a crowd decides the same. */

/** The generator mulberry32, with the deviates that traders draw. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  between(min: number, max: number): number {
    return min + (max - min) * this.uniform();
  }

  /** Log-normal with the given mean: mostly less, now and then much more, as people trade. */
  logNormal(mean: number, sigma = 0.8): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
    return mean * Math.exp(sigma * normal - (sigma * sigma) / 2);
  }

  /** One of the items; undefined of none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.uniform() * items.length)];
  }
}
