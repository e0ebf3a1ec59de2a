/** The nonces spent by one session that could still be posted again. */

/**
 * A set of nonces, in one ascending array: most are larger than all before, so that both lookup and insertion happen at
 * its end. A `Set` would need an object for each number beyond 31 bits.
 */
export class NonceSet {
  readonly #nonces: number[] = [];

  constructor(nonces: Iterable<number> = []) {
    for (const nonce of nonces) this.add(nonce);
  }

  get size(): number {
    return this.#nonces.length;
  }

  /** The largest, or NaN if there is none. */
  get newest(): number {
    return this.#nonces.length === 0 ? Number.NaN : this.#nonces[this.#nonces.length - 1]!;
  }

  has(nonce: number): boolean {
    return !this.#isLargest(nonce) && this.#nonces[this.#placeOf(nonce)] === nonce;
  }

  add(nonce: number): void {
    if (this.#isLargest(nonce)) {
      this.#nonces.push(nonce);
      return;
    }
    const place = this.#placeOf(nonce);
    if (this.#nonces[place] !== nonce) this.#nonces.splice(place, 0, nonce);
  }

  /** The number of nonces not below the limit. */
  countFrom(limit: number): number {
    return this.#nonces.length - this.#placeOf(limit);
  }

  /** Drops nonces below the limit. */
  pruneBelow(limit: number): void {
    const place = this.#placeOf(limit);
    if (place > 0) this.#nonces.splice(0, place);
  }

  /** Ascending. */
  [Symbol.iterator](): Iterator<number> {
    return this.#nonces.values();
  }

  #isLargest(nonce: number): boolean {
    const { length } = this.#nonces;
    return length === 0 || nonce > this.#nonces[length - 1]!;
  }

  /** The index of the first nonce that is not below the given one. */
  #placeOf(nonce: number): number {
    const nonces = this.#nonces;
    let low = 0;
    let high = nonces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nonces[middle]! < nonce) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
