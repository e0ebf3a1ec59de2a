/** Sends the writes of an account, once each: signed if a session key is in use, by token if not. */

import { mayBeCarriedOut } from '../net/errors.ts';
import type { Transport } from '../net/transport.ts';
import { namingTheClock } from '../net/venue-clock.ts';
import type { Credentials } from '../sign/credentials.ts';
import type { Session } from '../sign/wallet.ts';
import type { LookupParts } from './lookup.ts';
import { isSpent, Outcomes, type TraceOf } from './outcome.ts';

/** A kind of write: its signature, and its trace if the answer is lost. */
interface Kind<T> {
  readonly path: string;
  readonly sign: (session: Session, terms: T, nonce: number) => object;
  readonly trace: TraceOf;
}

export class Writes {
  readonly #transport: Transport;
  readonly #credentials: Credentials;
  readonly #outcomes: Outcomes;

  constructor(parts: LookupParts) {
    this.#transport = parts.transport;
    this.#credentials = parts.credentials;
    this.#outcomes = new Outcomes(parts);
  }

  /**
   * The venue's answer. Throws `VenueError` for a refusal and `OutcomeUnknownError` if none came.
   */
  async post<T, A>(terms: T & object, { path, sign, trace }: Kind<T>): Promise<A> {
    const credentials = this.#credentials;
    const { session } = credentials;
    const signed = session && { session, nonce: await credentials.nonceOf(session.sessionKey) };
    const body = signed === null ? terms : sign(signed.session, terms, signed.nonce);
    const sentAtMs = credentials.now();
    try {
      return await this.#transport.post(path, body, { headers: credentials.headers() });
    } catch (cause) {
      if (!mayBeCarriedOut(cause) && !isSpent(cause))
        throw await namingTheClock(cause, this.#transport, credentials.now);
      throw await this.#outcomes.of({ path, trace, signed, sentAtMs, cause });
    }
  }
}
