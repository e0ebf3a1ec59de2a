/** A client's credentials: a bearer token for reads, a session key for writes. */

import { noncesOf } from './nonces.ts';
import type { Session, Wallet } from './wallet.ts';

/** Sources of a client's time and nonces. */
export interface ClockOptions {
  /** The time in unix milliseconds, for a machine whose clock may be wrong; by default `Date.now`. */
  readonly now?: () => number;
  /** Returns a unique nonce for a session key, in case other processes sign with that key too. */
  readonly nonceOf?: (sessionKey: string) => number | Promise<number>;
}

/** Set by sign-in and session approval, read by every call. */
export class Credentials {
  token: string | null = null;
  session: Session | null = null;
  /** The wallet of the last sign-in, for the next one. */
  wallet: Wallet | null = null;
  readonly now: () => number;
  /** Returns a nonce for a session key that no other client of this process gets. */
  readonly nonceOf: NonNullable<ClockOptions['nonceOf']>;

  constructor({ now = Date.now, nonceOf }: ClockOptions = {}) {
    this.now = now;
    this.nonceOf = nonceOf ?? ((sessionKey) => noncesOf(sessionKey).next(now()));
  }

  /** Makes the nonces of a session key that the client makes by itself higher than one that stands in the way. */
  raiseNonces(sessionKey: string, above: number): void {
    noncesOf(sessionKey).raiseAbove(above);
  }

  /** The header of an authenticated read; none before sign-in, which the venue answers with 401. */
  headers(): Record<string, string> {
    return this.token === null ? {} : { 'x-paper-token': this.token };
  }
}
