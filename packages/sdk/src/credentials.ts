/** What a client proves itself with: a bearer token for reads, a session key for writes. */

import { noncesOf } from './nonces.ts';
import type { Session, Wallet } from './wallet.ts';

/** Filled by sign-in and session approval, read by every call. */
export class Credentials {
  token: string | null = null;
  session: Session | null = null;
  /** The wallet of the last sign-in, for the next one. */
  wallet: Wallet | null = null;

  /** The header of an authenticated read; none before sign-in, which the venue answers with 401. */
  headers(): Record<string, string> {
    return this.token === null ? {} : { 'x-paper-token': this.token };
  }

  /** A nonce of the session key, which no other client of this process is given. */
  nextNonce(): number {
    return noncesOf(this.session?.sessionKey ?? '').next();
  }
}
