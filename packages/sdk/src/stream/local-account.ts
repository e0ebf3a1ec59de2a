/** A copy of an account with its open orders, kept by the messages of its two channels (STR-1, STR-2). */

import type { Account, AccountMembers, OpenOrder, OrdersMembers, Position } from '@venue/protocol';
import type { ChannelMessage } from './channel-link.ts';
import { type CopyParts, LocalCopy } from './local-copy.ts';

export const OWN = ['account', 'orders'] as const;
type OwnName = (typeof OWN)[number];
type Shown = Omit<Account, 'openOrders' | 'positions' | 'held'>;

export class LocalAccount extends LocalCopy {
  readonly #missing = new Set<OwnName>(OWN);
  readonly #positions = new Map<string, Position>();
  #shown: Shown | null = null;
  #held: number | null = null;
  #orders: Map<number, OpenOrder> | null = null;
  #openOrders: readonly OpenOrder[] = [];
  #account: Account | null = null;
  #seq: number | null = null;
  /** The latest entry of a message, which may not be shown yet. */
  #toldSeq = 0;

  constructor(parts: CopyParts) {
    super('the account', parts);
  }

  /** The log entry after which the account was so; null before the first messages. */
  get seq(): number | null {
    return this.#seq;
  }

  /**
   * The account with all its open orders, ascending by id; null before the first messages. The orders are the same array
   * until one of them changes.
   */
  get account(): Account | null {
    return this.#account;
  }

  /** For the channels' messages only. */
  take(message: ChannelMessage): void {
    if (message.channel === 'orders') this.#takeOrders(message as ChannelMessage & OrdersMembers);
    else this.#takeAccount(message);
    this.#toldSeq = Math.max(this.#toldSeq, message.seq);
    // One entry changes the account and its orders by two messages. Between them an order that was opened or closed is
    // known to one channel alone.
    if (this.#shown === null || this.#shown.openOrderCount !== this.#orders?.size) return;
    this.#account = {
      ...this.#shown,
      openOrders: this.#openOrders as OpenOrder[],
      positions: [...this.#positions.values()],
      ...(this.#held !== null && { held: this.#held }),
    };
    this.#seq = this.#toldSeq;
    this.tell();
  }

  /** For the channels' connection only. */
  turnOne(name: OwnName, isRight: boolean): void {
    if (isRight) this.#missing.delete(name);
    else this.#missing.add(name);
    this.turn(this.#missing.size === 0);
  }

  #takeAccount(message: ChannelMessage & AccountMembers): void {
    const { type, channel: _, seq: __, prevSeq: ___, positions = [], held, ...members } = message;
    if (type === 'snapshot') this.#positions.clear();
    // While nothing is held, a snapshot has no such member.
    if (held !== undefined || type === 'snapshot') this.#held = held ?? null;
    this.#shown = { ...(type === 'delta' && this.#shown), ...members } as Shown;
    for (const position of positions) {
      if ('symbol' in position) this.#positions.set(position.seriesId, position);
      else this.#positions.delete(position.seriesId);
    }
  }

  #takeOrders({ type, orders }: ChannelMessage & OrdersMembers): void {
    const open = type === 'snapshot' ? new Map<number, OpenOrder>() : (this.#orders ?? new Map());
    for (const order of orders) {
      if (order.cause !== null) open.delete(order.id);
      else open.set(order.id, order as OpenOrder);
    }
    this.#orders = open;
    this.#openOrders = [...open.values()];
  }
}
