/** The maker's right to quote: one registration per start, which a newer maker ends permanently (MM-1). */

import type { CompactQuote, QuotesAnswer } from '@venue/protocol';
import { type MakerWrites, VenueError, VenueUnreachableError } from '@venue/sdk';

/** Another maker has registered. Registering again would fence that one, so this maker gives up. */
export class FencedError extends Error {
  override name = 'FencedError';
}

const CONFLICT = 409;

export class QuoteSession {
  readonly #writes: MakerWrites;
  readonly #attemptId: string;
  #session: number | null = null;

  constructor(writes: MakerWrites, attemptId: string = crypto.randomUUID()) {
    this.#writes = writes;
    this.#attemptId = attemptId;
  }

  /** The registered session, or null before the first. */
  get number(): number | null {
    return this.#session;
  }

  /**
   * Registers, unless already registered: the venue keeps sessions across a restart, and an old attempt must not be
   * repeated once a newer session may exist. If the answer is lost, the request is repeated under the same name.
   */
  async open(): Promise<void> {
    this.#session ??= (await this.#writes.session(this.#attemptId)).session;
  }

  /** Pushes rows; throws `FencedError` once another maker has taken over. */
  push(rows: readonly CompactQuote[]): Promise<QuotesAnswer> {
    return this.#guard((session) => this.#writes.quotes(session, rows));
  }

  async #guard<T>(call: (session: number) => Promise<T>): Promise<T> {
    const session = this.#session;
    if (session === null) throw new VenueUnreachableError('no quote session is registered');
    try {
      return await call(session);
    } catch (error) {
      if (error instanceof VenueError && error.status === CONFLICT) await this.#judge(session, error);
      throw error;
    }
  }

  /** Registers again only at a venue that knows no session at all, because it started from an empty log. */
  async #judge(session: number, refusal: VenueError): Promise<void> {
    const { session: live } = await this.#writes.account();
    if (live === session) return;
    if (live !== null)
      throw new FencedError(`${refusal.message}: session ${live} has taken over from ${session}`);
    this.#session = null;
  }
}
