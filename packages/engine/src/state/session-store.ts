/** The sessions of all accounts in typed arrays: every signed write reads one and spends one of its nonces. */

import type { Address, Hex } from '@venue/protocol';
import { Blocks } from './blocks.ts';
import type { SessionHandle } from './ids.ts';
import type { Attestation } from './records.ts';

const CAPACITY_MIN = 64;
/** Nonces in the smallest block, a line of cache; each larger one has room for twice as many. */
const NONCES_MIN = 8;

/** A row is 64 bytes, a line of cache, seen through two views: four doubles, then integers from the 32nd byte on. */
const FLOATS_SHIFT = 3;
export const EXPIRES_AT = 0;
export const APPROVED_AT = 1;
/** NaN until it is revoked. */
export const REVOKED_AT = 2;
/** NaN while no nonce is remembered. */
export const NEWEST_NONCE = 3;

const INTS_SHIFT = 4;
const FIRST_NONCE = 8;
const NONCE_COUNT = 9;
const NONCE_ROOM = 10;
const HOLDERS = 11;

/** No row. Handles start at 1, so that a zeroed field names no session. */
export const NO_SESSION = 0 as SessionHandle;

/** The wallet's signatures about a session, kept so that payouts can be proven (CUS-5). */
export interface SessionProof {
  /** Over the expiry in force. */
  readonly approval: Hex;
  readonly revocation: Hex | null;
  /** Attestations of approval and revocation where a contract wallet signed (CUS-19); null where a key did. */
  readonly attestation: Attestation | null;
  readonly revocationAttestation: Attestation | null;
}

/**
 * A row lives while it has a holder: the account with the session, and each resting order signed by its key. Its nonces
 * are in ascending order in a block of one shared array.
 */
export class SessionStore {
  /** Only for `NonceSet`. */
  nonces = new Float64Array(CAPACITY_MIN);
  #floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT);
  #ints = new Int32Array(this.#floats.buffer);
  readonly #keys: Address[] = [];
  readonly #supersededExpiries: Set<number>[] = [];
  readonly #proofs: (SessionProof | undefined)[] = [];
  readonly #rows = new Blocks(NO_SESSION + 1);
  readonly #blocks = new Blocks();
  /** Rows that remember at least one nonce. */
  readonly #spent = new Set<SessionHandle>();
  #count = 0;

  /** Number of rows in use. */
  get count(): number {
    return this.#count;
  }

  /** Rows that remember at least one nonce. */
  get spent(): Iterable<SessionHandle> {
    return this.#spent;
  }

  /** Opens a row for a key, with one holder. */
  open(key: Address): SessionHandle {
    const h = this.#rows.allocate(1) as SessionHandle;
    if (h << FLOATS_SHIFT >= this.#floats.length) this.#grow();
    this.#floats.fill(0, h << FLOATS_SHIFT, (h + 1) << FLOATS_SHIFT);
    this.set(h, REVOKED_AT, Number.NaN);
    this.set(h, NEWEST_NONCE, Number.NaN);
    this.#keys[h] = key;
    this.#supersededExpiries[h] = new Set();
    this.#proofs[h] = undefined;
    this.#count += 1;
    this.hold(h);
    return h;
  }

  hold(h: SessionHandle): void {
    this.#ints[(h << INTS_SHIFT) + HOLDERS]! += 1;
  }

  /** Drops one holder; the row is reused once it has none. */
  release(h: SessionHandle): void {
    this.#ints[(h << INTS_SHIFT) + HOLDERS]! -= 1;
    if (this.#ints[(h << INTS_SHIFT) + HOLDERS] !== 0) return;
    this.#rows.free(h, 1);
    this.#count -= 1;
  }

  key(h: SessionHandle): Address {
    return this.#keys[h]!;
  }

  supersededExpiries(h: SessionHandle): Set<number> {
    return this.#supersededExpiries[h]!;
  }

  proof(h: SessionHandle): SessionProof | undefined {
    return this.#proofs[h];
  }

  setProof(h: SessionHandle, proof: SessionProof): void {
    this.#proofs[h] = proof;
  }

  get(h: SessionHandle, field: number): number {
    return this.#floats[(h << FLOATS_SHIFT) + field]!;
  }

  set(h: SessionHandle, field: number, value: number): void {
    this.#floats[(h << FLOATS_SHIFT) + field] = value;
  }

  /** Index of the first nonce. */
  firstNonce(h: SessionHandle): number {
    return this.#ints[(h << INTS_SHIFT) + FIRST_NONCE]!;
  }

  nonceCount(h: SessionHandle): number {
    return this.#ints[(h << INTS_SHIFT) + NONCE_COUNT]!;
  }

  /** Sets the number of nonces; room for them must be reserved. */
  setNonceCount(h: SessionHandle, count: number): void {
    const ints = this.#ints;
    const at = h << INTS_SHIFT;
    if (ints[at + NONCE_COUNT] === 0) this.#spent.add(h);
    ints[at + NONCE_COUNT] = count;
    if (count > 0) return;
    this.#spent.delete(h);
    this.#blocks.free(ints[at + FIRST_NONCE]!, ints[at + NONCE_ROOM]!);
    ints[at + NONCE_ROOM] = 0;
  }

  /** Reserves room for one more nonce. */
  reserveNonce(h: SessionHandle): void {
    const at = h << INTS_SHIFT;
    if (this.#ints[at + NONCE_COUNT]! === this.#ints[at + NONCE_ROOM]!) this.#moveNonces(at);
  }

  #moveNonces(at: number): void {
    const ints = this.#ints;
    const before = ints[at + FIRST_NONCE]!;
    const roomBefore = ints[at + NONCE_ROOM]!;
    const room = Math.max(NONCES_MIN, roomBefore * 2);
    const first = this.#blocks.allocate(room);
    if (this.#blocks.end > this.nonces.length) this.nonces = doubled(this.nonces, this.#blocks.end);
    if (roomBefore > 0) {
      this.nonces.copyWithin(first, before, before + roomBefore);
      this.#blocks.free(before, roomBefore);
    }
    ints[at + FIRST_NONCE] = first;
    ints[at + NONCE_ROOM] = room;
  }

  #grow(): void {
    this.#floats = doubled(this.#floats);
    this.#ints = new Int32Array(this.#floats.buffer);
  }
}

/** A copy of twice the length, and of at least the given one. */
function doubled(floats: Float64Array<ArrayBuffer>, length = 0): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(Math.max(floats.length * 2, length));
  grown.set(floats);
  return grown;
}
