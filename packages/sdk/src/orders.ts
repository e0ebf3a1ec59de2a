/** Placing, previewing and cancelling orders, and the switch of margin: signed once a session key is approved, by token before. */

import {
  type CancelAnswer,
  type CancelOrderAnswer,
  type CancelOrderRequest,
  type CancelRequest,
  cancelEnvelope,
  cancelOrderEnvelope,
  decimalToMicros,
  type MarginAnswer,
  type MarginRequest,
  type Micros,
  marginEnvelope,
  type OrderAnswer,
  type OrderPreviewAnswer,
  type OrderRequest,
  orderEnvelope,
} from '@venue/protocol';
import { signPersonal } from '@venue/protocol/signing';
import type { Credentials } from './credentials.ts';
import { type Answer, bodyOf, type Transport } from './transport.ts';
import type { Session } from './wallet.ts';

export interface OrderTerms {
  readonly seriesId: string;
  readonly side: 'buy' | 'sell';
  /** Contracts, a decimal exact in micros. */
  readonly qty: number;
  /** Limit price, a decimal exact in micros; a market order has none. */
  readonly price?: number;
}

export class Orders {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  constructor(transport: Transport, credentials: Credentials) {
    this.#transport = transport;
    this.#credentials = credentials;
  }

  /**
   * Places an order. A declined one is a value: `status` is `rejected` and `reason` says why. Throws
   * `RangeError` when an amount of a signed order is not exact in micros.
   *
   * @example await venue.orders.place({ seriesId, side: 'buy', qty: 1.5, price: 12.25 })
   */
  async place(terms: OrderTerms): Promise<OrderAnswer> {
    const body = this.#signed(terms, signOrder);
    const answer = await this.#transport.answer('/v1/order', body, { headers: this.#credentials.headers() });
    return isRejection(answer) ? (answer.body as OrderAnswer) : bodyOf<OrderAnswer>(answer);
  }

  /** What an order would fill, cost and lock; nothing is placed or signed. Needs a token. */
  preview(terms: OrderTerms): Promise<OrderPreviewAnswer> {
    return this.#post('/v1/order/preview', terms);
  }

  /**
   * Turns margin on, which short sales need, or off. Throws `VenueError` when short exposure forbids to turn it off
   * (ACC-3).
   */
  setMargin(enabled: boolean): Promise<MarginAnswer> {
    return this.#post('/v1/margin', this.#signed({ enabled }, signMargin));
  }

  /** Cancels every resting order of the symbols, or all of the account's. */
  cancel(symbols?: readonly string[]): Promise<CancelAnswer> {
    const scope = symbols === undefined ? {} : { symbols: [...symbols] };
    return this.#post('/v1/cancel', this.#signed(scope, signCancel));
  }

  /** Cancels one resting order; `ok` is false for one that has left the book, or another's (ORD-12). */
  cancelOrder(orderId: number): Promise<CancelOrderAnswer> {
    return this.#post('/v1/order/cancel', this.#signed({ orderId }, signCancelOrder));
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.#transport.post(path, body, { headers: this.#credentials.headers() });
  }

  #signed<T, S>(terms: T, sign: (session: Session, terms: T, nonce: number) => S): T | S {
    const { session } = this.#credentials;
    return session === null ? terms : sign(session, terms, this.#credentials.nextNonce());
  }
}

/** The body of a signed order. */
export function signOrder(session: Session, terms: OrderTerms, nonce: number): OrderRequest {
  const { seriesId, side, qty, price } = terms;
  const qtyMicros = exactMicros('qty', qty);
  const priceMicros = price === undefined ? 'market' : exactMicros('price', price);
  const { account } = session;
  const text = orderEnvelope({ account, seriesId, side, qtyMicros, priceMicros, nonce });
  return { ...terms, ...signature(session, text, nonce) };
}

/** The body of a signed cancel; without symbols it is of every symbol. */
export function signCancel(session: Session, scope: { symbols?: string[] }, nonce: number): CancelRequest {
  const text = cancelEnvelope({ account: session.account, symbols: scope.symbols ?? 'all', nonce });
  return { ...scope, ...signature(session, text, nonce) };
}

/** The body of a signed cancel of one order. */
export function signCancelOrder(
  session: Session,
  { orderId }: { orderId: number },
  nonce: number,
): CancelOrderRequest {
  const text = cancelOrderEnvelope({ account: session.account, orderId, nonce });
  return { orderId, ...signature(session, text, nonce) };
}

/** The body of a signed switch of margin. */
export function signMargin(
  session: Session,
  { enabled }: { enabled: boolean },
  nonce: number,
): MarginRequest {
  const text = marginEnvelope({ account: session.account, enabled, nonce });
  return { enabled, ...signature(session, text, nonce) };
}

/** The signing fields of a body. */
export function signature({ privateKey, sessionKey }: Session, text: string, nonce: number) {
  return { sessionKey, nonce, signature: signPersonal(text, privateKey) };
}

function exactMicros(field: string, decimal: number): Micros {
  const amount = decimalToMicros(decimal);
  if (amount === undefined) throw new RangeError(`${field} ${decimal} is not a whole number of millionths`);
  return amount;
}

function isRejection({ status, body }: Answer): boolean {
  return status === 400 && typeof body === 'object' && body !== null && 'status' in body;
}
