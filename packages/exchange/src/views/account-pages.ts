/** Caches the JSON that accounts read about themselves. */

import type { Account, State } from '@venue/engine';
import { guardedAccountView, openOrdersView } from './account.ts';
import { KeptTexts } from './kept-texts.ts';

const NO_ORDERS = '"openOrders":[]';
/** Most cached answers, and characters of cached orders; the bounds keep clients from filling the memory. */
const PAGES_MAX = 64;
const ORDERS_CHARS_MAX = 32 * 1_048_576;

export class AccountPages {
  readonly #orders = new KeptTexts<Account>(ORDERS_CHARS_MAX);
  /** Cached pages by kind and account, valid for the state after entry `#seq`. */
  readonly #pages = new Map<string, Buffer>();
  #seq = 0;

  /** Call on every change of an account's resting orders. */
  ordersChanged(account: Account): void {
    this.#orders.delete(account);
  }

  /** JSON of `guardedAccountView`. */
  account(state: State, account: Account): Buffer {
    return this.page(state, account, { name: 'account', make: () => this.#json(state, account) });
  }

  /** Bytes that depend on nothing but the state, and so stay valid until the next entry. */
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

  /** The open orders, most of its bytes, are cached until one of them changes. */
  #json(state: State, account: Account): string {
    let orders = this.#orders.get(account);
    if (orders === undefined) {
      orders = JSON.stringify(openOrdersView(state, account));
      this.#orders.set(account, orders);
    }
    const text = JSON.stringify(guardedAccountView(state, account, []));
    const at = text.indexOf(NO_ORDERS);
    return `${text.slice(0, at)}"openOrders":${orders}${text.slice(at + NO_ORDERS.length)}`;
  }
}
