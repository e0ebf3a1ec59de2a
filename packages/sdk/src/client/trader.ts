/** The door to one venue, for traders. */

import { Market } from '../market/market.ts';
import type { WebSocketConstructor } from '../net/socket.ts';
import { type CallOptions, Transport, type TransportOptions } from '../net/transport.ts';
import { VenueClock } from '../net/venue-clock.ts';
import type { BytesForm } from '../quote/quote-terms.ts';
import { Quotes } from '../quote/quotes.ts';
import { SetTurns } from '../quote/set-turns.ts';
import { Auth } from '../sign/auth.ts';
import { type ClockOptions, Credentials } from '../sign/credentials.ts';
import { VenuePin } from '../sign/venue-pin.ts';
import { AccountReads } from '../trade/account.ts';
import { Orders } from '../trade/orders.ts';
import { Withdrawals } from '../trade/withdrawals.ts';
import { Writes } from '../trade/writes.ts';
import { checkOptions } from './options.ts';

export interface ClientOptions extends TransportOptions, ClockOptions {
  /** For a runtime without WebSocket, such as Node 20: the one of the `ws` package, or a compatible one. */
  readonly webSocket?: WebSocketConstructor;
  /** Id of the deployment to accept at this address; by default the first one that answers there (VEN-1). */
  readonly venue?: string;
}

/** Every option, so that one which is added to the type and not here does not compile. */
const KNOWN: Readonly<Record<keyof ClientOptions, true>> = {
  fetch: true,
  limiter: true,
  nonceOf: true,
  now: true,
  onHandlerError: true,
  onRequest: true,
  onResponse: true,
  readUrl: true,
  signal: true,
  timeoutMs: true,
  url: true,
  venue: true,
  webSocket: true,
};

/** The parts that a client and those made of it by `with` share, and the way to the venue. */
export interface ClientParts {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly pin: VenuePin;
  readonly turns: SetTurns;
  /** Without it quotes are pushed as JSON only. */
  readonly bytesForm?: BytesForm;
}

export function partsOf(options: ClientOptions): ClientParts {
  checkOptions(options, KNOWN);
  const transport = new Transport(options);
  const credentials = new Credentials(options, new VenueClock(transport));
  const pin = new VenuePin(credentials, options.venue);
  return { transport, credentials, pin, turns: new SetTurns() };
}

interface KnownParts extends ClientParts {
  readonly options: ClientOptions;
}

const PARTS = new WeakMap<TraderClient, KnownParts>();

/** Returns the parts of a client, for modules of this package that a page can do without and then need not load. */
export function partsOfClient(client: TraderClient): KnownParts {
  return PARTS.get(client)!;
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
  readonly quotes: Quotes;
  readonly withdrawals: Withdrawals;
  readonly #options: ClientOptions;
  readonly #parts: ClientParts;

  /** Throws `TypeError` for an invalid address, and for a missing or an unknown option. */
  constructor(options: ClientOptions, parts = partsOf(options)) {
    const { transport, credentials, pin } = parts;
    this.#options = options;
    this.#parts = parts;
    PARTS.set(this, { ...parts, options });
    this.url = transport.url;
    this.market = new Market(transport);
    this.auth = new Auth(transport, credentials, pin);
    this.account = new AccountReads(transport, credentials);
    const renewed = { ...parts, renew: () => this.auth.renew() };
    const writes = new Writes(renewed);
    this.orders = new Orders(renewed, writes);
    this.quotes = new Quotes(renewed);
    this.withdrawals = new Withdrawals(transport, credentials, writes);
  }

  /** The bearer token of the last sign-in, or null. */
  get token(): string | null {
    return this.#parts.credentials.token;
  }

  /**
   * The same client, with the same keys and tokens, whose calls have other bounds: a signal that ends them early, or a
   * time limit of their own.
   *
   * @example await venue.with({ signal: AbortSignal.timeout(5_000) }).market.meta()
   */
  with(bounds: CallOptions): this {
    const Kind = this.constructor as new (options: ClientOptions, parts: ClientParts) => this;
    return new Kind(this.#options, { ...this.#parts, transport: this.#parts.transport.with(bounds) });
  }
}
