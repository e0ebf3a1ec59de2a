/** Turns the engine's effects into news for the accounts that want it (PUSH-1). */

import {
  type Account,
  type CloseCause,
  type Effects,
  equityMicros,
  type FillRecord,
  isSetOwner,
  maintenanceMarginMicros,
  NO_EFFECTS,
  type OpenedOrder,
  type State,
} from '@venue/engine';
import type { Address, NewsKind } from '@venue/protocol';
import { type FilledOrder, joined, type News } from './news.ts';

/** True if any device of the account is to be told. */
export type IsWanted = (account: Address, kind: NewsKind) => boolean;

/** News by account and kind. */
export type Gathered = Map<Address, Map<NewsKind, News>>;

interface Opened {
  readonly totalMicros: number;
  /** Lowered by each fill of the entry. */
  leftMicros: number;
}

/** The size and remainder of an order, where it has any. */
type Standing = Pick<FilledOrder, 'totalMicros' | 'leftMicros'>;

const NO_TOTAL: Standing = { totalMicros: null, leftMicros: 0 };

export class Collector {
  readonly #state: State;
  readonly #isWanted: IsWanted;
  /** Null while nothing is collected. */
  #gathered: Gathered | null = null;
  /** Orders of this entry, which are not in the book when they trade. */
  readonly #opened = new Map<number, Opened>();
  /** Accounts whose margin call was seen, by index. */
  readonly #called = new Set<number>();
  readonly effects: Effects = {
    ...NO_EFFECTS,
    filled: (account, fill) => this.#filled(account, fill),
    orderOpened: (order) => this.#open(order),
    orderClosed: (account, _, cause) => this.#closed(account, cause),
  };

  constructor(state: State, isWanted: IsWanted) {
    this.#state = state;
    this.#isWanted = isWanted;
    // Calls that began before the snapshot are old news: they were told before the restart, if anybody wanted them.
    for (const account of state.accounts) if (account.wasCalled) this.#called.add(account.index);
  }

  /** Call it after each entry; `isTold` is false for entries that must not become news. */
  afterEntry(kind: string): void {
    this.#opened.clear();
    if (kind === 'maintain') this.#lookForCalls();
  }

  /** Starts collecting news, or stops and drops what was collected. */
  collect(isTold: boolean): void {
    this.#gathered = isTold ? (this.#gathered ?? new Map()) : null;
  }

  /** Returns what was collected since the last call. */
  take(): Gathered {
    const gathered = this.#gathered ?? new Map();
    if (this.#gathered !== null) this.#gathered = new Map();
    return gathered;
  }

  #open({ id, qtyMicros }: OpenedOrder): void {
    this.#opened.set(id, { totalMicros: qtyMicros, leftMicros: qtyMicros });
  }

  #filled(account: Account, fill: FillRecord): void {
    if (fill.kind === 'settlement') this.#settled(account, fill);
    else this.#traded(account, fill, fill.kind === 'liquidation' ? 'liquidation' : 'fills');
  }

  #traded(account: Account, fill: FillRecord, kind: 'fills' | 'liquidation'): void {
    const { orderId, series, side, qtyMicros, priceMicros } = fill;
    this.#add(account, kind, () => {
      const standing = kind === 'fills' ? this.#standingOf(fill) : NO_TOTAL;
      const worth = priceMicros * qtyMicros;
      const row = { orderId, seriesId: series.seriesId, side, qtyMicros, worth, ...standing };
      return { kind, ...this.#now, rows: [row], more: 0 };
    });
  }

  /** A resting order is in the book until its fill has been booked. A leg of a combo has no quantity of its own. */
  #standingOf({ orderId, qtyMicros }: FillRecord): Standing {
    const opened = this.#opened.get(orderId);
    if (opened !== undefined) {
      opened.leftMicros -= qtyMicros;
      return { totalMicros: opened.totalMicros, leftMicros: Math.max(0, opened.leftMicros) };
    }
    const { orders } = this.#state;
    const h = orders.find(orderId);
    if (h === null || isSetOwner(orders.owner(h))) return NO_TOTAL;
    return { totalMicros: orders.quantity(h), leftMicros: Math.max(0, orders.remaining(h) - qtyMicros) };
  }

  #settled(account: Account, { series, realizedMicros }: FillRecord): void {
    const { instrument, expiryTs } = series;
    this.#add(account, 'settlement', () => {
      const priceMicros = instrument.decisions.get(expiryTs)?.priceMicros ?? 0;
      const row = { symbol: instrument.symbol, expiryTs, priceMicros, realizedMicros };
      return { kind: 'settlement', ...this.#now, rows: [row], more: 0 };
    });
  }

  #closed(account: Account, cause: CloseCause): void {
    if (cause === 'guard') this.#add(account, 'guard', () => ({ kind: 'guard', ...this.#now, orders: 1 }));
  }

  /** The engine notes at each liquidation run who is in call; one that was not before is told. */
  #lookForCalls(): void {
    for (const account of this.#state.accounts) {
      if (!account.wasCalled) this.#called.delete(account.index);
      else if (!this.#called.has(account.index)) {
        this.#called.add(account.index);
        this.#add(account, 'margin', () => {
          const shortfall =
            maintenanceMarginMicros(this.#state, account) - equityMicros(this.#state, account);
          return { kind: 'margin', ...this.#now, shortfallMicros: Math.max(0, shortfall) };
        });
      }
    }
  }

  get #now(): Pick<News, 'since' | 'at'> {
    const { ts } = this.#state;
    return { since: ts, at: ts };
  }

  #add({ address }: Account, kind: NewsKind, make: () => News): void {
    if (this.#gathered === null || address === null || !this.#isWanted(address, kind)) return;
    const ofAccount = this.#gathered.get(address) ?? new Map<NewsKind, News>();
    this.#gathered.set(address, ofAccount.set(kind, joined(ofAccount.get(kind), make())));
  }
}
