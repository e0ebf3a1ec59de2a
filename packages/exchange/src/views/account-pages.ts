/** JSON of what accounts read of themselves. */

import type { Account, State } from '@venue/engine';
import { accountView, openOrdersView } from './account.ts';

const NO_ORDERS = '"openOrders":[]';
/** How many answers are cached; the bound keeps clients from filling the memory. */
const PAGES_MAX = 64;

export class AccountPages {
  readonly #orders = new WeakMap<Account, string>();
  /** By what they show and of whom, as they were after the entry `#seq`. */
  readonly #pages = new Map<string, Buffer>();
  #seq = 0;

  /** To be told of every change of an account's resting orders. */
  ordersChanged(account: Account): void {
    this.#orders.delete(account);
  }

  /** JSON of `accountView`. */
  account(state: State, account: Account): Buffer {
    return this.page(state, account, { name: 'account', make: () => this.#json(state, account) });
  }

  /** The bytes of what `make` makes of the state and nothing else, which are the same until the next entry. */
  page({ seq }: State, { index }: Account, { name, make }: { name: string; make: () => string }): Buffer {
    if (seq !== this.#seq) this.#pages.clear();
    this.#seq = seq;
    const key = `${name} ${index}`;
    const kept = this.#pages.get(key);
    if (kept !== undefined) return kept;
    const made = Buffer.from(make());
    if (this.#pages.size === PAGES_MAX) this.#pages.delete(this.#pages.keys().next().value!);
    this.#pages.set(key, made);
    return made;
  }

  /** The open orders, most of its bytes, are kept until one of them changes. */
  #json(state: State, account: Account): string {
    let orders = this.#orders.get(account);
    if (orders === undefined) {
      orders = JSON.stringify(openOrdersView(state, account));
      this.#orders.set(account, orders);
    }
    const text = JSON.stringify(accountView(state, account, []));
    const at = text.indexOf(NO_ORDERS);
    return `${text.slice(0, at)}"openOrders":${orders}${text.slice(at + NO_ORDERS.length)}`;
  }
}
