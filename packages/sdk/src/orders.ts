/** Places, previews and cancels orders, and switches margin: signed once a session key is approved, by token before. */

import type {
  CancelAnswer,
  CancelOrderAnswer,
  MarginAnswer,
  OrderAnswer,
  OrderList,
  OrderPreviewAnswer,
  OrderRecord,
} from '@venue/protocol';
import { checkInteger, positiveMicros } from './checks.ts';
import type { Credentials } from './credentials.ts';
import { type OrderTerms, signCancel, signCancelOrder, signMargin, signOrder } from './signed-bodies.ts';
import type { Transport } from './transport.ts';
import type { Writes } from './writes.ts';

/** An order by the venue's id or by its client's. */
export type OrderRef = { readonly orderId: number } | { readonly clientId: string };

/** Selects orders, newest first: the open ones, or others, from one page to the next. */
export interface OrderQuery {
  readonly status?: 'open' | 'closed';
  readonly symbol?: string;
  /** Id of the order before which the page starts, exclusive. */
  readonly before?: number;
  /** Most orders to return, 1 to 500. */
  readonly limit?: number;
}

export class Orders {
  readonly #transport: Transport;
  readonly #credentials: Credentials;
  readonly #writes: Writes;

  constructor(transport: Transport, credentials: Credentials, writes: Writes) {
    this.#transport = transport;
    this.#credentials = credentials;
    this.#writes = writes;
  }

  /**
   * Places an order: `qty` in contracts, `price` in US dollars per contract, none for a market order. A declined
   * order is a value: `status` is `rejected` and `reason` says why (ORD-1). Before anything is signed, throws
   * `TypeError` for anything but a number and `RangeError` for an amount that is not positive or not exact in micros
   * (NUM-2). Sent only once: without an answer, throws `OutcomeUnknownError`, which reports what became of it.
   *
   * @example
   * const order = await venue.orders.place({ seriesId, side: 'buy', qty: 1.5, price: 0.25 });
   * if (order.status === 'rejected') console.error(order.reason);
   */
  async place(terms: OrderTerms): Promise<OrderAnswer> {
    checkOrder(terms);
    return this.#writes.post('/v1/order', terms, signOrder, terms);
  }

  /**
   * Shows what an order would fill, cost and lock; nothing is placed or signed, and a declined one has its `reason`.
   * Needs a token. Throws as `place` does for invalid terms, and `VenueError`.
   *
   * @example (await venue.orders.preview({ seriesId, side: 'buy', qty: 1 })).cost
   */
  async preview(terms: OrderTerms): Promise<OrderPreviewAnswer> {
    checkOrder(terms);
    const request = { headers: this.#credentials.headers() };
    return this.#transport.post('/v1/order/preview', terms, request);
  }

  /**
   * A page of the account's orders with what became of each, newest first. Needs a token.
   *
   * @example (await venue.orders.list({ status: 'closed', limit: 10 })).map(({ id, cause }) => [id, cause])
   */
  async list(query: OrderQuery = {}): Promise<OrderRecord[]> {
    const request = { query: { ...query }, headers: this.#credentials.headers() };
    const { orders } = await this.#transport.get<OrderList>('/v1/orders', request);
    return orders;
  }

  /**
   * One order of the account, open or closed, by the venue's id or by the client's; of several with the same client
   * id the newest. Throws `NotFoundError` if there is none. Needs a token.
   *
   * @example
   * const [newest] = await venue.orders.list({ limit: 1 });
   * if (newest !== undefined) console.log((await venue.orders.find({ orderId: newest.id })).status);
   */
  find(ref: OrderRef): Promise<OrderRecord> {
    const path =
      'orderId' in ref
        ? `/v1/orders/${checkInteger('orderId', ref.orderId)}`
        : `/v1/orders/client/${encodeURIComponent(ref.clientId)}`;
    return this.#transport.get(path, { headers: this.#credentials.headers() });
  }

  /**
   * Turns margin on, which short sales need, or off. Throws `RefusedError` if short exposure prevents turning it off
   * (ACC-3), and as `place` does if no answer comes.
   *
   * @example (await venue.orders.setMargin(true)).marginEnabled // true
   */
  async setMargin(enabled: boolean): Promise<MarginAnswer> {
    if (typeof enabled !== 'boolean') throw new TypeError('enabled must be true or false');
    return this.#writes.post('/v1/margin', { enabled }, signMargin);
  }

  /**
   * Cancels every resting order of the symbols, or all of the account's; `pulled` counts them. An empty list is
   * refused, because it must not widen to all (ORD-9). Throws `TypeError` for anything but a list.
   *
   * @example (await venue.orders.cancel(['BTC'])).pulled
   */
  async cancel(symbols?: readonly string[]): Promise<CancelAnswer> {
    if (symbols !== undefined && !Array.isArray(symbols)) throw new TypeError('symbols must be a list');
    const scope = symbols === undefined ? {} : { symbols: [...symbols] };
    return this.#writes.post('/v1/cancel', scope, signCancel);
  }

  /**
   * Cancels one resting order; `ok` is false for one that has left the book, or belongs to another account (ORD-12).
   *
   * @example (await venue.orders.cancelOrder(1)).ok // false
   */
  async cancelOrder(orderId: number): Promise<CancelOrderAnswer> {
    return this.#writes.post(
      '/v1/order/cancel',
      { orderId: checkInteger('orderId', orderId) },
      signCancelOrder,
    );
  }
}

function checkOrder({ seriesId, side, qty, price }: OrderTerms): void {
  if (typeof seriesId !== 'string') throw new TypeError('seriesId must be a text');
  if (side !== 'buy' && side !== 'sell') throw new TypeError(`side must be buy or sell, not ${side}`);
  positiveMicros('qty', qty);
  if (price !== undefined) positiveMicros('price', price);
}
