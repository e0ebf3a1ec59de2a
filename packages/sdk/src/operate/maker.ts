/** Quotes of the venue's market maker. */

import {
  type FillList,
  type FillRecord,
  type MakerAccount,
  type MakerPullAnswer,
  type MakerSessionAnswer,
  QUOTES_CONTENT_TYPE,
  type QuotesAnswer,
} from '@venue/protocol';
import { checked, type Transport } from '../net/transport.ts';
import { BYTES_FORM } from '../quote/quote-bytes.ts';
import type { SidQuote } from '../quote/quote-terms.ts';

/** Quotes of one series: its sid, bids, asks, and the implied volatility and delta to annotate. */
export type MakerQuote = SidQuote;

/** Quotes of the market maker and reads of its account (MM-1 to MM-4). */
export class MakerWrites {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, makerToken: string) {
    this.#transport = transport;
    this.#headers = { 'x-maker-token': makerToken };
  }

  /**
   * Registers a quote session. The same attempt gets the same one, a new attempt fences every earlier one (MM-1), so
   * a lost answer can be requested again. Throws `ForbiddenError` for a wrong secret.
   *
   * @example (await maker.session(crypto.randomUUID())).session
   */
  session(attemptId: string): Promise<MakerSessionAnswer> {
    return this.#transport.post('/v1/maker/session', { attemptId }, { headers: this.#headers });
  }

  /**
   * Sets the quotes of series named by sid, in the binary form: price in US dollars and size in contracts of each
   * level, best first; null leaves a side as it is, an empty one pulls it. Throws `ConflictError` if the session is
   * fenced or unknown (MM-2), `RangeError` for an amount that is not exact in micros. At most 16,384 rows and levels
   * together. A long push is applied in parts, and an error may leave some of them applied; because it sets the
   * intended state, it may be sent again (OWN-62).
   *
   * @example (await maker.quotes(quoteSession, [[sid, [[0.5, 1]], [[0.75, 1]]]])).applied // 1
   */
  async quotes(session: number, rows: readonly MakerQuote[]): Promise<QuotesAnswer> {
    const headers = { ...this.#inSession(session), 'content-type': QUOTES_CONTENT_TYPE };
    const init = { method: 'POST', body: BYTES_FORM.encode(rows) };
    const answer = await this.#transport.send('/v1/maker/quotes', init, { headers });
    return BYTES_FORM.decode(checked(answer).bytes);
  }

  /**
   * Takes every quote off the books; throws `ConflictError` as a push does.
   *
   * @example (await maker.pull(quoteSession)).pulled
   */
  pull(session: number): Promise<MakerPullAnswer> {
    return this.#transport.post('/v1/maker/pull', {}, { headers: this.#inSession(session) });
  }

  /**
   * The maker's cash, positions and remaining house line (HOUSE-1).
   *
   * @example (await maker.account()).headroom
   */
  account(): Promise<MakerAccount> {
    return this.#transport.get('/v1/maker/account', { headers: this.#headers });
  }

  /**
   * Up to 500 fills after the one with the given id, oldest first.
   *
   * @example (await maker.fills(0)).length
   */
  async fills(after: number): Promise<FillRecord[]> {
    const request = { query: { after }, headers: this.#headers };
    const { fills } = await this.#transport.get<FillList>('/v1/maker/fills', request);
    return fills;
  }

  #inSession(session: number): Record<string, string> {
    return { ...this.#headers, 'x-quote-session': String(session) };
  }
}
