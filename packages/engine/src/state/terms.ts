/** The terms of resting orders that were placed in batches; orders placed one by one have none of their own. */

import type { OrderTerms } from '@venue/protocol';
import type { AccountIndex } from './ids.ts';

/** Terms of a limit order placed by itself: it trades with its own account as the contract has it (BAT-5). */
export const PLAIN_LIMIT: OrderTerms = { tif: 'gtc', stp: 'none' };
/** Terms of a market order placed by itself. */
export const PLAIN_MARKET: OrderTerms = { tif: 'ioc', stp: 'none' };

/** How many resting orders with terms of their own an account has. */
interface Counts {
  resting: number;
  /** Those that leave at a date. */
  timed: number;
}

const NO_ORDERS: Readonly<Counts> = { resting: 0, timed: 0 };

export class RestingTerms {
  readonly #byOrder = new Map<number, OrderTerms>();
  readonly #counts = new Map<AccountIndex, Counts>();

  /** The terms of a resting order. */
  of(orderId: number): OrderTerms {
    return this.#byOrder.get(orderId) ?? PLAIN_LIMIT;
  }

  /** How many orders of the account that came by batches are resting, and how many of them are timed (BAT-7, TIF-1). */
  countsOf(account: AccountIndex): Readonly<Counts> {
    return this.#counts.get(account) ?? NO_ORDERS;
  }

  /** Counts orders of an account whose terms a copy of the state leaves out. */
  count(account: AccountIndex, counts: Readonly<Counts>): void {
    this.#counts.set(account, { ...counts });
  }

  set(account: AccountIndex, orderId: number, terms: OrderTerms): void {
    if (terms === PLAIN_LIMIT) return;
    this.#byOrder.set(orderId, terms);
    this.#change(account, terms, 1);
  }

  /** Forgets the terms of an order that no longer rests, and returns them. */
  take(account: AccountIndex, orderId: number): OrderTerms {
    const terms = this.#byOrder.get(orderId);
    if (terms === undefined) return PLAIN_LIMIT;
    this.#byOrder.delete(orderId);
    this.#change(account, terms, -1);
    return terms;
  }

  #change(account: AccountIndex, { tif }: OrderTerms, by: 1 | -1): void {
    const counts = this.#counts.get(account) ?? { ...NO_ORDERS };
    this.#counts.set(account, counts);
    counts.resting += by;
    if (tif === 'gtd') counts.timed += by;
    if (counts.resting === 0) this.#counts.delete(account);
  }

  /** Number of orders with terms of their own. */
  get size(): number {
    return this.#byOrder.size;
  }
}
