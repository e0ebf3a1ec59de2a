/** Pins the deployment behind an address: a client that meets another one there stops (VEN-1). */

import type { Venue } from '@venue/protocol';
import { isRefusedAs, NotFoundError, VenueChangedError } from '../net/errors.ts';
import type { Transport } from '../net/transport.ts';
import type { Credentials } from './credentials.ts';

export class VenuePin {
  readonly #credentials: Credentials;
  #id: string | null;

  /** With an id, only that deployment is accepted; otherwise the first one that answers is. */
  constructor(credentials: Credentials, id: string | null = null) {
    this.#credentials = credentials;
    this.#id = id;
  }

  /** The id that every batch is signed for; asks the venue once. Throws `VenueChangedError` as `verify` does. */
  async id(transport: Transport): Promise<string> {
    if (this.#id !== null && this.#isOfSession(this.#id)) return this.#id;
    const id = await this.verify(transport);
    if (id === null)
      throw new NotFoundError(
        404,
        `${transport.url} has no GET /v1/venue: it knows no batches`,
        'sdk:no-batches',
      );
    return id;
  }

  /**
   * Asks the venue for its id. Throws `VenueChangedError` if it is not that of the deployment that this client first
   * met, or that its session key was approved at; no call of the client is sent after that. Null for a venue that does
   * not describe itself.
   */
  async verify(transport: Transport): Promise<string | null> {
    const id = await idOf(transport);
    if (id === null) return null;
    const { session } = this.#credentials;
    const expected = this.#id ?? session?.venue ?? id;
    if (expected !== id || !this.#isOfSession(id)) {
      const text = `${transport.url} now leads to venue ${id}, not to ${session?.venue ?? expected}`;
      throw transport.stop(
        new VenueChangedError(
          `${text}: this client has stopped; make sure which one it is, then approve a new key`,
        ),
      );
    }
    this.#id = id;
    return id;
  }

  #isOfSession(id: string): boolean {
    const { session } = this.#credentials;
    return session?.venue === undefined || session.venue === id;
  }
}

async function idOf(transport: Transport): Promise<string | null> {
  try {
    const { venue } = await transport.toNodes().get<Partial<Venue>>('/v1/venue');
    return venue ?? null;
  } catch (error) {
    const isOlder = error instanceof NotFoundError || isRefusedAs(error, 'not-yet-upgraded');
    if (isOlder) return null;
    throw error;
  }
}
