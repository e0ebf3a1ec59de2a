/** The account with its open orders, as the messages of their two channels make it (STR-1, STR-2). */

import type { Account, AccountMembers, OpenOrder, OrdersMembers, Position } from '@venue/protocol';
import type { ChannelMessage } from '@venue/sdk/browser';

type Message = Pick<ChannelMessage, 'type'>;
type Shown = Omit<Account, 'openOrders' | 'positions'>;

export class LiveAccount {
  #shown: Shown | null = null;
  readonly #positions = new Map<string, Position>();
  #orders: Map<number, OpenOrder> | null = null;
  #openOrders: OpenOrder[] = [];

  takeAccount(message: Message & AccountMembers): void {
    const {
      type,
      channel: _,
      seq: __,
      prevSeq: ___,
      positions = [],
      ...members
    } = message as Message & AccountMembers & Partial<ChannelMessage>;
    if (type === 'snapshot') this.#positions.clear();
    const { held, ...shown } = { ...(type === 'delta' && this.#shown), ...members };
    // While nothing is held, an account has no such member.
    this.#shown = { ...shown, ...(typeof held === 'number' && { held }) } as Shown;
    for (const position of positions) {
      if ('symbol' in position) this.#positions.set(position.seriesId, position);
      else this.#positions.delete(position.seriesId);
    }
  }

  takeOrders({ type, orders }: Message & OrdersMembers): void {
    const open = type === 'snapshot' ? new Map<number, OpenOrder>() : (this.#orders ?? new Map());
    for (const order of orders) {
      if (order.cause !== null) open.delete(order.id);
      else open.set(order.id, order as OpenOrder);
    }
    this.#orders = open;
    this.#openOrders = [...open.values()];
  }

  /**
   * True while both channels tell of the same orders. One entry changes the account and its orders by two messages;
   * between them, an order that was opened or closed is known to one channel alone.
   */
  get isWhole(): boolean {
    return this.#shown !== null && this.#orders !== null && this.#shown.openOrderCount === this.#orders.size;
  }

  /** Null before both channels have begun. The orders are the same array until one of them changes. */
  get account(): Account | null {
    if (this.#shown === null || this.#orders === null) return null;
    return { ...this.#shown, positions: [...this.#positions.values()], openOrders: this.#openOrders };
  }
}
