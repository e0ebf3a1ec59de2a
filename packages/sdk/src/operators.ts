/** Routes of the venue's own clients: price feeds and the market maker, each with its secret. */

import type {
  CompactQuote,
  FeedAnswer,
  FeedPrint,
  FillList,
  FillRecord,
  MakerAccount,
  MakerPullAnswer,
  MakerSessionAnswer,
  QuotesAnswer,
} from '@venue/protocol';
import {
  decimalToMicros,
  decodeQuotesAnswer,
  encodeQuotes,
  type MicrosLevel,
  type MicrosQuote,
  QUOTES_CONTENT_TYPE,
} from '@venue/protocol';
import type { Transport } from './transport.ts';

/** Posts prices of underlyings (FEED-1). */
export class FeedWrites {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, feedToken: string) {
    this.#transport = transport;
    this.#headers = { 'x-feed-token': feedToken };
  }

  /** The answer says how many rows were taken and what was wrong with each of the rest. */
  prints(prints: readonly FeedPrint[]): Promise<FeedAnswer> {
    return this.#transport.post('/v1/feed/prints', { prints }, { headers: this.#headers });
  }
}

/** Quotes of the market maker and what comes of them (MM-1 to MM-4). */
export class MakerWrites {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, makerToken: string) {
    this.#transport = transport;
    this.#headers = { 'x-maker-token': makerToken };
  }

  /** Registers a quote session; the same attempt gets the same one, a new attempt fences every earlier (MM-1). */
  session(attemptId: string): Promise<MakerSessionAnswer> {
    return this.#transport.post('/v1/maker/session', { attemptId }, { headers: this.#headers });
  }

  /**
   * Sets the ladders of series named by sid, in the binary form; 409 when the session is fenced or unknown (MM-2).
   * Throws `RangeError` for an amount that is not exact in micros.
   */
  async quotes(session: number, rows: readonly CompactQuote[]): Promise<QuotesAnswer> {
    const headers = { ...this.#inSession(session), 'content-type': QUOTES_CONTENT_TYPE };
    const push = encodeQuotes(rows.map(microsQuote));
    return decodeQuotesAnswer(await this.#transport.postBytes('/v1/maker/quotes', push, { headers }));
  }

  /** Takes every quote off the books; 409 as for a push. */
  pull(session: number): Promise<MakerPullAnswer> {
    return this.#transport.post('/v1/maker/pull', {}, { headers: this.#inSession(session) });
  }

  account(): Promise<MakerAccount> {
    return this.#transport.get('/v1/maker/account', { headers: this.#headers });
  }

  /** Up to 500 fills after the one with that id, oldest first. */
  async fills(after: number): Promise<FillRecord[]> {
    const request = { query: { after }, headers: this.#headers };
    const { fills } = await this.#transport.get<FillList>('/v1/maker/fills', request);
    return fills;
  }

  #inSession(session: number): Record<string, string> {
    return { ...this.#headers, 'x-quote-session': String(session) };
  }
}

function microsQuote([sid, bids, asks, iv, delta]: CompactQuote): MicrosQuote {
  return {
    sid,
    bids: microsLevels(bids),
    asks: microsLevels(asks),
    ...(typeof iv === 'number' && { iv }),
    ...(typeof delta === 'number' && { delta }),
  };
}

function microsLevels(levels: CompactQuote[1]): MicrosLevel[] | null {
  return levels?.map(([price, qty]) => [exactMicros(price), exactMicros(qty)]) ?? null;
}

function exactMicros(decimal: number): number {
  const micros = decimalToMicros(decimal);
  if (micros === undefined) throw new RangeError(`not exact in micros: ${decimal}`);
  return micros;
}
