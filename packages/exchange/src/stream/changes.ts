/** Collects what changed since the last tick, as far as anyone watches it. */

import type { Account, Effects, FillRecord, TapePrint } from '@venue/engine';

export interface Watchers {
  /** True while any client is connected. */
  readonly any: () => boolean;
  /** Returns true if a client holds the account's token. */
  readonly of: (account: Account) => boolean;
}

export interface ChangeSet {
  readonly spots: boolean;
  /** Oldest first. */
  readonly prints: readonly TapePrint[];
  /** Oldest first. */
  readonly fills: ReadonlyMap<Account, readonly FillRecord[]>;
  readonly accounts: ReadonlySet<Account>;
  readonly orders: ReadonlySet<Account>;
}

/** Collects the effects of entries. Unwatched ones are dropped immediately, so that an idle stream costs nothing. */
export class Changes implements Partial<Effects> {
  readonly #watchers: Watchers;
  #spots = false;
  #prints: TapePrint[] = [];
  #fills = new Map<Account, FillRecord[]>();
  #accounts = new Set<Account>();
  #orders = new Set<Account>();

  constructor(watchers: Watchers) {
    this.#watchers = watchers;
  }

  filled(account: Account, fill: FillRecord): void {
    if (!this.#watchers.of(account)) return;
    const fills = this.#fills.get(account);
    if (fills === undefined) this.#fills.set(account, [fill]);
    else fills.push(fill);
  }

  printed(print: TapePrint): void {
    if (this.#watchers.any()) this.#prints.push(print);
  }

  accountChanged(account: Account): void {
    if (this.#watchers.of(account)) this.#accounts.add(account);
  }

  ordersChanged(account: Account): void {
    if (this.#watchers.of(account)) this.#orders.add(account);
  }

  spotMoved(): void {
    if (this.#watchers.any()) this.#spots = true;
  }

  /** Returns the collected changes and starts afresh. */
  take(): ChangeSet {
    const taken = {
      spots: this.#spots,
      prints: this.#prints,
      fills: this.#fills,
      accounts: this.#accounts,
      orders: this.#orders,
    };
    this.#spots = false;
    this.#prints = [];
    this.#fills = new Map();
    this.#accounts = new Set();
    this.#orders = new Set();
    return taken;
  }
}
