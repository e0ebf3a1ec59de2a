/** A client's credentials: a bearer token for reads, a session key for writes. */

import { noncesOf } from './nonces.ts';
import type { Session, Wallet } from './wallet.ts';

/** Sources of a client's time and nonces. */
export interface ClockOptions {
  /**
   * The time in unix milliseconds, for a machine whose clock may be wrong; by default `Date.now`. `venue` asks the venue
   * before the first write, and again where the machine's clock was set or slept.
   */
  readonly now?: (() => number) | 'venue';
  /** Returns a unique nonce for a session key, in case other processes sign with that key too. */
  readonly nonceOf?: (sessionKey: string) => number | Promise<number>;
}

/** A clock that may have to be compared with another. */
interface Clock {
  now(): number;
  compare(): Promise<void>;
}

const MACHINE: Clock = { now: Date.now, compare: async () => {} };

/** Set by sign-in and session approval, read by every call. */
export class Credentials {
  token: string | null = null;
  session: Session | null = null;
  /** The wallet of the last sign-in, for the next one. */
  wallet: Wallet | null = null;
  readonly now: () => number;
  /** Returns a nonce for a session key that no other client of this process gets. */
  readonly nonceOf: NonNullable<ClockOptions['nonceOf']>;

  /** Has `now` right before something is signed with it. */
  readonly #compare: () => Promise<void>;

  constructor({ now = Date.now, nonceOf }: ClockOptions = {}, clock: Clock = MACHINE) {
    this.now = now === 'venue' ? () => clock.now() : now;
    this.#compare = now === 'venue' ? () => clock.compare() : async () => {};
    this.nonceOf = nonceOf ?? ((sessionKey) => this.#nextNonce(sessionKey));
  }

  /** The time, asked for where it has to be. Throws if the venue does not answer. */
  async time(): Promise<number> {
    await this.#compare();
    return this.now();
  }

  async #nextNonce(sessionKey: string): Promise<number> {
    return noncesOf(sessionKey).next(await this.time());
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
