import type { Address, Hex } from '@venue/protocol';
import type { SessionHandle } from './ids.ts';
import { NonceSet } from './nonces.ts';
import type { Attestation } from './records.ts';
import { APPROVED_AT, EXPIRES_AT, REVOKED_AT, type SessionStore } from './session-store.ts';

/** A session key that an account approved: a view of its row. There may be several views of one row. */
export class SessionRecord {
  readonly handle: SessionHandle;
  readonly #store: SessionStore;

  constructor(store: SessionStore, handle: SessionHandle) {
    this.#store = store;
    this.handle = handle;
  }

  get sessionKey(): Address {
    return this.#store.key(this.handle);
  }

  get expiresAt(): number {
    return this.#store.get(this.handle, EXPIRES_AT);
  }

  set expiresAt(ts: number) {
    this.#store.set(this.handle, EXPIRES_AT, ts);
  }

  get approvedAt(): number {
    return this.#store.get(this.handle, APPROVED_AT);
  }

  set approvedAt(ts: number) {
    this.#store.set(this.handle, APPROVED_AT, ts);
  }

  get revokedAt(): number | null {
    const ts = this.#store.get(this.handle, REVOKED_AT);
    return Number.isNaN(ts) ? null : ts;
  }

  set revokedAt(ts: number | null) {
    this.#store.set(this.handle, REVOKED_AT, ts ?? Number.NaN);
  }

  /** Expiries of replaced approvals that could still be replayed (KEY-2, OWN-13). */
  get supersededExpiries(): Set<number> {
    return this.#store.supersededExpiries(this.handle);
  }

  /** The wallet's signature over the approval in force. */
  get approval(): Hex {
    return this.#store.proof(this.handle)!.approval;
  }

  /** Where the approval was attested; null if a key signed it (CUS-19). */
  get attestation(): Attestation | null {
    return this.#store.proof(this.handle)?.attestation ?? null;
  }

  /** Records what the wallet signed; a revocation of an earlier approval is forgotten. */
  proveApproval(approval: Hex, attestation: Attestation | null): void {
    this.#store.setProof(this.handle, {
      ...{ approval, attestation },
      ...{ revocation: null, revocationAttestation: null },
    });
  }

  /** The wallet's signature over the revocation; null while the approval stands. */
  get revocation(): Hex | null {
    return this.#store.proof(this.handle)?.revocation ?? null;
  }

  get revocationAttestation(): Attestation | null {
    return this.#store.proof(this.handle)?.revocationAttestation ?? null;
  }

  proveRevocation(revocation: Hex, revocationAttestation: Attestation | null): void {
    const { approval, attestation } = this;
    this.#store.setProof(this.handle, { approval, attestation, revocation, revocationAttestation });
  }

  get nonces(): NonceSet {
    return new NonceSet(this.#store, this.handle);
  }

  /** Ends the account's hold on the row; resting orders signed by the session keep the row and its key. */
  forget(): void {
    this.nonces.pruneBelow(Number.POSITIVE_INFINITY);
    this.#store.release(this.handle);
  }
}
