/** The terms of resting orders that were placed in batches; orders placed one by one have none of their own. */

import type { OrderTerms } from '@venue/protocol';
import type { AccountIndex } from './ids.ts';

/** Of a limit order placed by itself: it trades with its own account as the contract has it (BAT-5). */
export const PLAIN_LIMIT: OrderTerms = { tif: 'gtc', stp: 'none' };
/** Of a market order placed by itself. */
export const PLAIN_MARKET: OrderTerms = { tif: 'ioc', stp: 'none' };

export class RestingTerms {
  readonly #byOrder = new Map<number, OrderTerms>();
  readonly #timed = new Map<AccountIndex, number>();

  /** The terms of a resting order. */
  of(orderId: number): OrderTerms {
    return this.#byOrder.get(orderId) ?? PLAIN_LIMIT;
  }

  /** How many timed orders the account has resting (TIF-1). */
  timedCountOf(account: AccountIndex): number {
    return this.#timed.get(account) ?? 0;
  }

  /** Counts timed orders of an account whose terms a copy of the state leaves out. */
  countTimed(account: AccountIndex, count: number): void {
    this.#timed.set(account, count);
  }

  set(account: AccountIndex, orderId: number, terms: OrderTerms): void {
    if (terms === PLAIN_LIMIT) return;
    this.#byOrder.set(orderId, terms);
    if (terms.tif === 'gtd') this.#timed.set(account, this.timedCountOf(account) + 1);
  }

  /** Forgets the terms of an order that no longer rests, and returns them. */
  take(account: AccountIndex, orderId: number): OrderTerms {
    const terms = this.of(orderId);
    this.#byOrder.delete(orderId);
    if (terms.tif !== 'gtd') return terms;
    const count = this.timedCountOf(account) - 1;
    if (count === 0) this.#timed.delete(account);
    else this.#timed.set(account, count);
    return terms;
  }

  /** Number of orders with terms of their own. */
  get size(): number {
    return this.#byOrder.size;
  }
}
