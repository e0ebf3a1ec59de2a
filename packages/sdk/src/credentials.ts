/** What a client proves itself with: a bearer token for reads, a session key for writes. */

import { Nonces } from './nonces.ts';
import type { Session } from './wallet.ts';

/** Filled by sign-in and session approval, read by every call. */
export class Credentials {
  token: string | null = null;
  #session: Session | null = null;
  #nonces = new Nonces();

  get session(): Session | null {
    return this.#session;
  }

  /** Puts a session key to use; its nonces start anew. */
  useSession(session: Session | null): void {
    this.#session = session;
    this.#nonces = new Nonces();
  }

  nextNonce(): number {
    return this.#nonces.next();
  }

  /** The header of an authenticated read; none before sign-in, which the venue answers with 401. */
  headers(): Record<string, string> {
    return this.token === null ? {} : { 'x-paper-token': this.token };
  }
}
