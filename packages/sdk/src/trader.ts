/** The door to one venue, for traders. */

import { AccountReads } from './account.ts';
import { Auth } from './auth.ts';
import { type ClockOptions, Credentials } from './credentials.ts';
import { type Follower, type FollowHandlers, Following, type FollowOptions } from './follow.ts';
import { Market } from './market.ts';
import { Orders } from './orders.ts';
import { type WebSocketConstructor, webSocketOf } from './socket.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { Withdrawals } from './withdrawals.ts';
import { Writes } from './writes.ts';

export interface ClientOptions extends TransportOptions, ClockOptions {
  /** For a runtime without WebSocket, such as Node 20: the one of the `ws` package, or a compatible one. */
  readonly webSocket?: WebSocketConstructor;
}

/**
 * A client of the venue at one address. Public reads need nothing; sign in for the account; approve a session to
 * trade. Calls throw `VenueError` for a refusal and `VenueUnreachableError` without an answer; writes are sent once,
 * and throw `OutcomeUnknownError` if nobody answers.
 */
export class TraderClient {
  readonly url: string;
  readonly market: Market;
  readonly auth: Auth;
  readonly account: AccountReads;
  readonly orders: Orders;
  readonly withdrawals: Withdrawals;
  readonly #webSocket: WebSocketConstructor | undefined;
  readonly #credentials: Credentials;

  /** Throws `TypeError` for an invalid address. */
  constructor(options: ClientOptions, transport = new Transport(options)) {
    const credentials = new Credentials(options);
    this.#credentials = credentials;
    const writes = new Writes(transport, credentials);
    this.url = transport.url;
    this.#webSocket = options.webSocket;
    this.market = new Market(transport);
    this.auth = new Auth(transport, credentials);
    this.account = new AccountReads(transport, credentials);
    this.orders = new Orders(transport, credentials, writes);
    this.withdrawals = new Withdrawals(transport, credentials, writes);
  }

  /** The bearer token of the last sign-in, or null. */
  get token(): string | null {
    return this.#credentials.token;
  }

  /**
   * Follows the push channel until it is closed, with the account's frames after a sign-in. It reconnects at growing
   * intervals, gets a new token when the old one is refused, and delivers missed fills by their `ts`, each once
   * (rules of the stream in the contract). The first frames of a connection are the current account and its orders,
   * so they need not be read. Throws `TypeError` if the runtime has no WebSocket.
   *
   * @example
   * const follower = venue.follow({
   *   onFrame: (frame) => frame.type === 'fill' && console.log(frame.fill.side, frame.fill.qty),
   *   onLost: ({ reason, retryInMs }) => console.error(reason.message, retryInMs),
   * });
   * follower.close();
   */
  follow(handlers: FollowHandlers, options: FollowOptions = {}): Follower {
    const webSocket = webSocketOf(this.#webSocket);
    const { url, auth, account } = this;
    const parts = { url, webSocket, auth, account, credentials: this.#credentials };
    const following = new Following(parts, handlers, options);
    void following.run();
    return following;
  }
}
