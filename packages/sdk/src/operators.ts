/** Routes of the venue's own clients: price feeds and the market maker, each with its secret. */

import type { CompactQuote, FeedAnswer, FeedPrint, QuotesAnswer } from '@venue/protocol';
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

/** Posts ladders of the market maker (MM-2, MM-3). */
export class MakerWrites {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, makerToken: string) {
    this.#transport = transport;
    this.#headers = { 'x-maker-token': makerToken };
  }

  /** Sets the ladders of series named by sid; 401 where every write must be signed. */
  quotes(rows: readonly CompactQuote[]): Promise<QuotesAnswer> {
    return this.#transport.post('/v1/quotes', { rows }, { headers: this.#headers });
  }
}
