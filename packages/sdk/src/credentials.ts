/** What a client proves itself with: a bearer token for reads, a session key for writes. */

import { noncesOf } from './nonces.ts';
import type { Session, Wallet } from './wallet.ts';

/** Where a client takes its time and its nonces from. */
export interface ClockOptions {
  /** The time in unix milliseconds, for a machine whose clock may be wrong (`Date.now`). */
  readonly now?: () => number;
  /** Gives a nonce of a session key that nobody else is given, where other processes sign with that key, too. */
  readonly nonceOf?: (sessionKey: string) => number | Promise<number>;
}

/** Filled by sign-in and session approval, read by every call. */
export class Credentials {
  token: string | null = null;
  session: Session | null = null;
  /** The wallet of the last sign-in, for the next one. */
  wallet: Wallet | null = null;
  readonly now: () => number;
  /** A nonce of a session key, which no other client of this process is given. */
  readonly nonceOf: NonNullable<ClockOptions['nonceOf']>;

  constructor({ now = Date.now, nonceOf }: ClockOptions = {}) {
    this.now = now;
    this.nonceOf = nonceOf ?? ((sessionKey) => noncesOf(sessionKey).next(now()));
  }

  /** The header of an authenticated read; none before sign-in, which the venue answers with 401. */
  headers(): Record<string, string> {
    return this.token === null ? {} : { 'x-paper-token': this.token };
  }
}
