/** The nonces spent by one session that could still be posted again. */

import type { SessionHandle } from './ids.ts';
import { NEWEST_NONCE, type SessionStore } from './session-store.ts';

/**
 * A set of nonces, as a view of its session's row. Most nonces are larger than all before, which the row alone shows; the
 * others are found by binary search, as they are stored in ascending order.
 */
export class NonceSet {
  readonly #store: SessionStore;
  readonly #h: SessionHandle;

  constructor(store: SessionStore, h: SessionHandle) {
    this.#store = store;
    this.#h = h;
  }

  get size(): number {
    return this.#store.nonceCount(this.#h);
  }

  has(nonce: number): boolean {
    return !this.#isLargest(nonce) && this.#at(this.#placeOf(nonce)) === nonce;
  }

  add(nonce: number): void {
    if (this.#isLargest(nonce)) {
      this.#store.set(this.#h, NEWEST_NONCE, nonce);
      this.#insert(this.size, nonce);
      return;
    }
    const place = this.#placeOf(nonce);
    if (this.#at(place) !== nonce) this.#insert(place, nonce);
  }

  /** The number of nonces not below the limit. */
  countFrom(limit: number): number {
    return this.size - this.#placeOf(limit);
  }

  /** Drops nonces below the limit. */
  pruneBelow(limit: number): void {
    const { size } = this;
    const place = this.#placeOf(limit);
    if (place === 0) return;
    const first = this.#store.firstNonce(this.#h);
    this.#store.nonces.copyWithin(first, first + place, first + size);
    if (place === size) this.#store.set(this.#h, NEWEST_NONCE, Number.NaN);
    this.#store.setNonceCount(this.#h, size - place);
  }

  /** Ascending. */
  *[Symbol.iterator](): Generator<number> {
    for (let place = 0; place < this.size; place++) yield this.#at(place);
  }

  #insert(place: number, nonce: number): void {
    const { size } = this;
    this.#store.reserveNonce(this.#h);
    const { nonces } = this.#store;
    const first = this.#store.firstNonce(this.#h);
    if (place < size) nonces.copyWithin(first + place + 1, first + place, first + size);
    nonces[first + place] = nonce;
    this.#store.setNonceCount(this.#h, size + 1);
  }

  #at(place: number): number {
    return this.#store.nonces[this.#store.firstNonce(this.#h) + place]!;
  }

  #isLargest(nonce: number): boolean {
    return !(nonce <= this.#store.get(this.#h, NEWEST_NONCE));
  }

  /** The index of the first nonce that is not below the given one. */
  #placeOf(nonce: number): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#at(middle) < nonce) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
