/** Prices of underlyings, from the venue's feeds. */

import type { FeedAnswer, FeedPrint } from '@venue/protocol';
import { numberOf } from '../net/checks.ts';
import type { Decimal } from '../net/decimal.ts';
import type { Transport } from '../net/transport.ts';

/** A price of an underlying, as a number or a decimal text. */
export type Print = Omit<FeedPrint, 'price'> & { readonly price: Decimal };

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
  async prints(prints: readonly Print[]): Promise<FeedAnswer> {
    const body = { prints: prints.map((print) => ({ ...print, price: numberOf('price', print.price) })) };
    return this.#transport.post('/v1/feed/prints', body, { headers: this.#headers });
  }
}
