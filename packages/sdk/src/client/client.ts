/** The door to one venue, including the routes for its operators. */

import { webSocketOf } from '../net/socket.ts';
import type { Transport } from '../net/transport.ts';
import { CustodyCalls } from '../operate/custody.ts';
import { FeedWrites } from '../operate/feed.ts';
import { FileReads } from '../operate/files.ts';
import { MakerWrites } from '../operate/maker.ts';
import { OperatorCalls } from '../operate/operator.ts';
import { BYTES_FORM } from '../quote/quote-bytes.ts';
import { openStream, type Stream, type StreamHandlers } from '../stream/stream.ts';
import { type ClientOptions, partsOf, TraderClient } from './trader.ts';

/**
 * A client of the venue at one address: everything in `TraderClient`, the daily files, and the
 * calls of operators, feeds and makers.
 *
 * @example
 * const client = new VenueClient({ url: venue.url });
 * await client.auth.approveSession(wallet);
 * const answer = await client.orders.place({ seriesId, side: 'buy', qty: 1, price: 0.25 });
 */
export class VenueClient extends TraderClient {
  readonly operator: OperatorCalls;
  readonly files: FileReads;
  /** Operators, feeds and makers are nodes' clients. */
  readonly #transport: Transport;
  readonly #reads: Transport;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions, parts = partsOf(options)) {
    super(options, { ...parts, bytesForm: BYTES_FORM });
    this.#reads = parts.transport;
    this.#transport = parts.transport.toNodes();
    this.#options = options;
    this.operator = new OperatorCalls(this.#transport);
    this.files = new FileReads(parts.transport);
  }

  /**
   * Reports of watcher, batcher and operators to the ledger about the chain, with the secret of the one that calls
   * (CUS-9).
   *
   * @example venue.custody(operatorToken)
   */
  custody(token: string): CustodyCalls {
    return new CustodyCalls(this.#transport, token);
  }

  /**
   * The writes of a price feed.
   *
   * @example venue.feed(feedToken)
   */
  feed(feedToken: string): FeedWrites {
    return new FeedWrites(this.#transport, feedToken);
  }

  /**
   * The writes of the market maker.
   *
   * @example venue.maker(makerToken)
   */
  maker(makerToken: string): MakerWrites {
    return new MakerWrites(this.#transport, makerToken);
  }

  /**
   * Opens a single connection of the push channel, which is not reopened; `openChannels` has a lasting one. Rejects
   * with `VenueUnreachableError` if the venue refuses or cannot be reached.
   *
   * @example
   * const stream = await venue.stream({ onFrame: ({ type }) => console.log(type) });
   * stream.close();
   */
  async stream(handlers: StreamHandlers): Promise<Stream> {
    const webSocket = webSocketOf(this.#options.webSocket);
    const { readUrl: url } = this.#reads;
    return openStream({ url, token: this.token, webSocket }, handlers, this.#reads);
  }
}
