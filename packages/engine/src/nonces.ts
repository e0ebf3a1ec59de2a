/** The nonces that one session has spent and that could still be posted again. */

const EMPTY = -1;
const CAPACITY_MIN = 8;
/** Odd, with its ones well spread: products differ most in their upper bits. */
const MIXER = 0x9e3779b1;

/**
 * A set of nonces, which are whole milliseconds from 0 on: a table of doubles with open addressing, never more than half
 * full. A `Set` of numbers beyond 31 bits has an object for each.
 */
export class NonceSet {
  #slots: Float64Array;
  #size = 0;

  constructor(nonces: Iterable<number> = []) {
    this.#slots = emptySlots(CAPACITY_MIN);
    for (const nonce of nonces) this.add(nonce);
  }

  get size(): number {
    return this.#size;
  }

  has(nonce: number): boolean {
    return this.#slots[this.#slotOf(nonce)] === nonce;
  }

  add(nonce: number): void {
    const slot = this.#slotOf(nonce);
    if (this.#slots[slot] === nonce) return;
    this.#slots[slot] = nonce;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#rebuild(this.#slots.length * 2, 0);
  }

  /** How many are not below the limit. */
  countFrom(limit: number): number {
    let count = 0;
    for (const nonce of this.#slots) if (nonce >= limit) count += 1;
    return count;
  }

  /** Forgets those below the limit. */
  forgetBelow(limit: number): void {
    const kept = this.countFrom(limit);
    if (kept === this.#size) return;
    let capacity = CAPACITY_MIN;
    while (capacity < kept * 2) capacity *= 2;
    this.#rebuild(capacity, limit);
  }

  /** Ascending. */
  [Symbol.iterator](): Iterator<number> {
    return this.#slots
      .filter((nonce) => nonce !== EMPTY)
      .sort()
      .values();
  }

  /** Where the nonce is, or would go. */
  #slotOf(nonce: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (Math.imul(nonce, MIXER) >>> 8) & mask;
    while (slots[slot] !== nonce && slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    return slot;
  }

  #rebuild(capacity: number, limit: number): void {
    const before = this.#slots;
    this.#slots = emptySlots(capacity);
    this.#size = 0;
    for (const nonce of before) {
      if (nonce < limit || nonce === EMPTY) continue;
      this.#slots[this.#slotOf(nonce)] = nonce;
      this.#size += 1;
    }
  }
}

function emptySlots(capacity: number): Float64Array {
  return new Float64Array(capacity).fill(EMPTY);
}
