/** JSON of accounts: their open orders, most of its bytes, are kept until one of them changes. */

import type { Account, State } from '@venue/engine';
import { accountView, openOrdersView } from './account.ts';

const NO_ORDERS = '"openOrders":[]';

export class AccountPages {
  readonly #orders = new WeakMap<Account, string>();

  /** To be told of every change of an account's resting orders. */
  ordersChanged(account: Account): void {
    this.#orders.delete(account);
  }

  /** JSON of `accountView`. */
  json(state: State, account: Account): string {
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
