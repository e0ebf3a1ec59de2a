import type { OrderHandle } from '../book/book.ts';
import type { Account } from '../state/account.ts';
import type { Sid } from '../state/ids.ts';
import type { Series, Side } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { sideOf } from './resting.ts';

/** A part of an account's orders and quotes: those in some series, on one side or both. */
export interface Scope {
  readonly includes: (series: Series) => boolean;
  readonly side?: Side | undefined;
}

type Ids = Readonly<Record<Side, number[]>>;

/**
 * The resting orders of an account by series and side. They are walked once, so that the many cancels of a batch cost
 * what they pull and not what rests (BAT-7).
 */
export class OwnOrders {
  readonly #state: State;
  readonly #account: Account;
  /** Ids, ascending; those of orders that have left since are passed over. */
  readonly #bySeries = new Map<Sid, Ids>();
  /** Orders with later ids have not been read; null before the first look. */
  #readTo: number | null = null;

  constructor(state: State, account: Account) {
    this.#state = state;
    this.#account = account;
  }

  /** The orders in a scope, oldest first. They are expected to leave, and no later call returns them. */
  take({ includes, side }: Scope): OrderHandle[] {
    this.#read();
    const taken: number[] = [];
    for (const [sid, ids] of this.#bySeries) {
      if (!includes(this.#state.series[sid]!)) continue;
      if (side !== 'sell') taken.push(...ids.buy.splice(0));
      if (side !== 'buy') taken.push(...ids.sell.splice(0));
      if (ids.buy.length + ids.sell.length === 0) this.#bySeries.delete(sid);
    }
    const { orders } = this.#state;
    return taken.sort((a, b) => a - b).flatMap((id) => orders.find(id) ?? []);
  }

  /** All at first, and then those that were placed since. */
  #read(): void {
    const { orders, lastOrderId } = this.#state;
    const { index } = this.#account;
    if (this.#readTo === null) {
      for (let h = orders.firstOf(index); h !== null; h = orders.nextOf(h)) this.#add(h);
    } else {
      for (let id = this.#readTo + 1; id <= lastOrderId; id++) {
        const h = orders.find(id);
        if (h !== null && orders.owner(h) === index) this.#add(h);
      }
    }
    this.#readTo = lastOrderId;
  }

  #add(h: OrderHandle): void {
    const { orders } = this.#state;
    const sid = orders.book(h) as Sid;
    let ids = this.#bySeries.get(sid);
    if (ids === undefined) {
      ids = { buy: [], sell: [] };
      this.#bySeries.set(sid, ids);
    }
    ids[sideOf(this.#state, h)].push(orders.id(h));
  }
}
