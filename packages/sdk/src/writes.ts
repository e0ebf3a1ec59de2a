/** Sends the writes of an account, once each: signed if a session key is in use, by token if not. */

import type { Credentials } from './credentials.ts';
import { mayBeCarriedOut } from './errors.ts';
import { isSpent, Outcomes } from './outcome.ts';
import type { Transport } from './transport.ts';
import type { Session } from './wallet.ts';

type Sign<T> = (session: Session, terms: T, nonce: number) => object;

export class Writes {
  readonly #transport: Transport;
  readonly #credentials: Credentials;
  readonly #outcomes: Outcomes;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
    this.#outcomes = new Outcomes(transport, credentials);
  }

  /**
   * The venue's answer. Throws `VenueError` for a refusal and `OutcomeUnknownError` if none came.
   */
  async post<T, A>(path: string, terms: T & object, sign: Sign<T>): Promise<A> {
    const credentials = this.#credentials;
    const { session } = credentials;
    const signed = session && { session, nonce: await credentials.nonceOf(session.sessionKey) };
    const body = signed === null ? terms : sign(signed.session, terms, signed.nonce);
    const sentAtMs = credentials.now();
    try {
      return await this.#transport.post(path, body, { headers: credentials.headers() });
    } catch (cause) {
      if (!mayBeCarriedOut(cause) && !isSpent(cause)) throw cause;
      throw await this.#outcomes.of({ path, signed, sentAtMs, cause });
    }
  }
}
