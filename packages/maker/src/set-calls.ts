/** The calls for quote sets, signed by a session key (QTS-1). */

import { createHash } from 'node:crypto';
import {
  type CompactQuote,
  decimalToMicros,
  decodeQuotesAnswer,
  encodeQuotes,
  type Hex,
  type MicrosLevel,
  QUOTES_CONTENT_TYPE,
  type QuoteSet,
  type QuoteSets,
  type QuotesAnswer,
  quotesEnvelope,
  type Venue,
} from '@venue/protocol';
import { signPersonal } from '@venue/protocol/signing';
import { Nonces, RefusedError, type Session, type Transport, UnauthorizedError } from '@venue/sdk';
import type { SetCalls } from './set-line.ts';

export class SignedSetCalls implements SetCalls {
  readonly #transport: Transport;
  readonly #credentials: () => { readonly session: Session; readonly token: string };
  readonly #nonces = new Nonces();
  #venue: string | null = null;

  constructor(
    transport: Transport,
    credentials: () => { readonly session: Session; readonly token: string },
  ) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  async push(set: number, rows: readonly CompactQuote[]): Promise<QuotesAnswer> {
    const { session } = this.#credentials();
    this.#venue ??= (await this.#transport.get<Venue>('/v1/venue')).venue;
    const body = new Uint8Array(encodeQuotes(rows.map(microsQuote)));
    const nonce = this.#nonces.next();
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const text = quotesEnvelope({
      venue: this.#venue,
      account: session.account,
      set,
      form: 'sqw1',
      bodyHash,
      nonce,
    });
    const headers = {
      'content-type': QUOTES_CONTENT_TYPE,
      'x-session-key': session.sessionKey,
      'x-nonce': String(nonce),
      'x-signature': signPersonal(text, session.privateKey) as Hex,
    };
    const raw = await this.#transport.send(`/v1/quote-sets/${set}`, { method: 'POST', body }, { headers });
    if (raw.status !== 200) {
      const { error } = JSON.parse(new TextDecoder().decode(raw.bytes));
      throw raw.status === 401 ? new UnauthorizedError(401, error) : new RefusedError(raw.status, error);
    }
    return decodeQuotesAnswer(raw.bytes);
  }

  async sets(): Promise<readonly QuoteSet[]> {
    const headers = { authorization: `Bearer ${this.#credentials().token}` };
    return (await this.#transport.get<QuoteSets>('/v1/quote-sets', { headers })).sets;
  }
}

function microsQuote([sid, bids, asks, iv, delta]: CompactQuote) {
  return {
    sid,
    bids: microsLevels(bids),
    asks: microsLevels(asks),
    ...(typeof iv === 'number' && { iv }),
    ...(typeof delta === 'number' && { delta }),
  };
}

function microsLevels(levels: CompactQuote[1]): MicrosLevel[] | null {
  return levels?.map(([price, qty]): MicrosLevel => [decimalToMicros(price)!, decimalToMicros(qty)!]) ?? null;
}
