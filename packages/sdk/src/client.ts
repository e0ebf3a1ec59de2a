/** The door to one venue. */

import { AccountReads } from './account.ts';
import { Auth } from './auth.ts';
import { Credentials } from './credentials.ts';
import { CustodyCalls, Withdrawals } from './custody.ts';
import { Market } from './market.ts';
import { OperatorCalls } from './operator.ts';
import { FeedWrites, MakerWrites } from './operators.ts';
import { Orders } from './orders.ts';
import { openStream, type Stream, type StreamHandlers } from './stream.ts';
import { Transport, type TransportOptions } from './transport.ts';

/**
 * A client of the venue at one address. Public reads need nothing; sign in for the account; approve a session
 * to trade. Calls throw `VenueError` for a refusal and `VenueUnreachableError` without an answer.
 *
 * @example
 * const venue = new VenueClient({ url: 'http://127.0.0.1:8080' });
 * await venue.auth.approveSession(wallet);
 * const answer = await venue.orders.place({ seriesId, side: 'buy', qty: 1, price: 12.5 });
 */
export class VenueClient {
  readonly url: string;
  readonly market: Market;
  readonly auth: Auth;
  readonly account: AccountReads;
  readonly orders: Orders;
  readonly withdrawals: Withdrawals;
  readonly operator: OperatorCalls;
  readonly #transport: Transport;
  readonly #credentials = new Credentials();

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
    this.url = this.#transport.url;
    this.market = new Market(this.#transport);
    this.auth = new Auth(this.#transport, this.#credentials);
    this.account = new AccountReads(this.#transport, this.#credentials);
    this.orders = new Orders(this.#transport, this.#credentials);
    this.withdrawals = new Withdrawals(this.#transport, this.#credentials);
    this.operator = new OperatorCalls(this.#transport);
  }

  /** The bearer token of the last sign-in, or null. */
  get token(): string | null {
    return this.#credentials.token;
  }

  /** Opens the push channel, with the account's frames after a sign-in. */
  stream(handlers: StreamHandlers): Promise<Stream> {
    return openStream(this.url, this.token, handlers);
  }

  /** What watcher, batcher and operators tell the ledger of the chain. */
  custody(operatorToken: string): CustodyCalls {
    return new CustodyCalls(this.#transport, operatorToken);
  }

  /** The writes of a price feed. */
  feed(feedToken: string): FeedWrites {
    return new FeedWrites(this.#transport, feedToken);
  }

  /** The writes of the market maker. */
  maker(makerToken: string): MakerWrites {
    return new MakerWrites(this.#transport, makerToken);
  }
}
