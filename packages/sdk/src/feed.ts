/** Prices of underlyings, from the venue's feeds. */

import type { FeedAnswer, FeedPrint } from '@venue/protocol';
import type { Transport } from './transport.ts';

/** Posts prices of underlyings (FEED-1). */
export class FeedWrites {
  readonly #transport: Transport;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, feedToken: string) {
    this.#transport = transport;
    this.#headers = { 'x-feed-token': feedToken };
  }

  /**
   * Posts prices in US dollars, each from one source. The answer says how many rows were accepted and what was wrong
   * with each other one; throws `ForbiddenError` for a wrong secret. Posting a price again is harmless.
   *
   * @example (await venue.feed(feedToken).prints([{ symbol: 'BTC', source: 'a', price: 100_000 }])).accepted // 1
   */
  prints(prints: readonly FeedPrint[]): Promise<FeedAnswer> {
    return this.#transport.post('/v1/feed/prints', { prints }, { headers: this.#headers });
  }
}
