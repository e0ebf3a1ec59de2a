/**
 * An account and its resting orders as the frames of a stream tell them. Account frames come when positions change and
 * orders frames when orders do, so neither alone is up to date: orders of the last account frame may be long gone.
 */

import {
  type Account,
  type OpenOrder,
  parseSeriesId,
  type StreamFrame,
  type StreamOrder,
} from '@venue/protocol';

/** As many orders as an account shows, the newest. */
const SHOWN_ORDERS = 500;

export class Holdings {
  readonly #now: () => number;
  #account: Account | null = null;
  #orders: readonly StreamOrder[] = [];
  /** What frames of orders do not say about them, by order id. */
  #details = new Map<number, Pick<OpenOrder, 'symbol' | 'qty' | 'ts'>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes in what the next frame of a connection says. */
  take(frame: StreamFrame): void {
    if (frame.type === 'account') {
      this.#account = frame.account;
      for (const { id, symbol, qty, ts } of frame.account.openOrders)
        this.#details.set(id, { symbol, qty, ts });
    }
    if (frame.type === 'orders') this.#takeOrders(frame.orders);
  }

  /** Everything that rests, ascending by id. */
  get orders(): readonly StreamOrder[] {
    return this.#orders;
  }

  /** The account with the orders that rest now; null before its first frame, and without a token. */
  get account(): Account | null {
    if (this.#account === null) return null;
    const openOrders = this.#orders
      .slice(-SHOWN_ORDERS)
      .map((order) => ({ ...order, ...this.#details.get(order.id)! }));
    return { ...this.#account, openOrders, openOrderCount: this.#orders.length };
  }

  #takeOrders(orders: readonly StreamOrder[]): void {
    this.#orders = orders;
    const before = this.#details;
    this.#details = new Map(
      orders.map((order) => [order.id, before.get(order.id) ?? this.#firstSight(order)]),
    );
  }

  #firstSight({ seriesId, remaining }: StreamOrder) {
    return { symbol: parseSeriesId(seriesId)?.symbol ?? '', qty: remaining, ts: this.#now() };
  }
}
