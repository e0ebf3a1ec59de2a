/** Sends the writes of an account, once each: signed where a session key is in use, by token where none is. */

import type { Credentials } from './credentials.ts';
import { mayBeCarriedOut } from './errors.ts';
import { Outcomes } from './outcome.ts';
import type { OrderTerms } from './signed-bodies.ts';
import { type Answer, bodyOf, type Transport } from './transport.ts';
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

  /** The body of a 2xx. Throws `VenueError` for a refusal and `OutcomeUnknownError` where no answer came. */
  async post<T, A>(path: string, terms: T & object, sign: Sign<T>): Promise<A> {
    return bodyOf<A>(await this.answer(path, terms, sign));
  }

  /** As `post`, but gives the body of a 400 too, which may be a declined order. */
  async answer<T>(
    path: string,
    terms: T & object,
    sign: Sign<T>,
    order: OrderTerms | null = null,
  ): Promise<Answer> {
    const credentials = this.#credentials;
    const { session } = credentials;
    const signed = session && { session, nonce: credentials.nextNonce() };
    const body = signed === null ? terms : sign(signed.session, terms, signed.nonce);
    const sentAtMs = Date.now();
    try {
      return await this.#transport.answer(path, body, { headers: credentials.headers() });
    } catch (cause) {
      if (!mayBeCarriedOut(cause)) throw cause;
      throw await this.#outcomes.of({ path, order, signed, sentAtMs, cause });
    }
  }
}
