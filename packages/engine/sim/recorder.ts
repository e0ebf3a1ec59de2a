/** Records the engine's effects and finds changes that were not announced. */

import type {
  AmendedOrder,
  CloseCause,
  Effects,
  OpenedCombo,
  OpenedOrder,
  TapePrint,
} from '../src/entry/effects.ts';
import type { Account } from '../src/state/account.ts';
import type { FillRecord } from '../src/state/records.ts';
import type { Decision } from '../src/state/series.ts';
import { byOrder, type Description, type PlainEvents, plainTerms } from './description.ts';
import { OrderLife } from './order-life.ts';

export class Recorder implements Effects {
  readonly #tape: TapePrint[] = [];
  readonly #fills: { readonly account: Account; readonly fill: FillRecord }[] = [];
  readonly #orderEvents: PlainEvents['orders'][number][] = [];
  readonly #life = new OrderLife();
  readonly #accounts = new Set<number>();
  readonly #orders = new Set<number>();
  readonly #symbols = new Set<string>();
  readonly #settled = new Set<string>();
  #before: Fingerprint = { accounts: new Map(), orders: new Map(), spots: new Map(), prices: new Map() };

  filled(account: Account, fill: FillRecord): void {
    this.#fills.push({ account, fill });
    this.#life.filled(account, fill);
  }

  cashMoved(): void {}

  orderOpened(order: OpenedOrder): void {
    const { id, account, series, side, priceMicros, qtyMicros, terms } = order;
    const amounts = [priceMicros, qtyMicros] as const;
    this.#life.opened(order);
    this.#orderEvents.push([id, account.index, 'opened', series.sid, side, ...amounts, plainTerms(terms)]);
  }

  comboOpened(combo: OpenedCombo): void {
    const { id, account, legs, netMicros, qtyMicros, terms } = combo;
    this.#life.opened(combo);
    const named = legs.map(({ series, side, ratio }) => `${side}:${ratio}:${series.sid}`).join();
    this.#orderEvents.push([id, account.index, 'combo', named, netMicros, qtyMicros, plainTerms(terms)]);
  }

  orderAmended(order: AmendedOrder): void {
    const { id, account, priceMicros, qtyMicros } = order;
    this.#life.amended(order);
    this.#orderEvents.push([id, account.index, 'amended', priceMicros, qtyMicros]);
  }

  orderClosed(account: Account, orderId: number, cause: CloseCause): void {
    this.#life.closed(orderId);
    this.#orderEvents.push([orderId, account.index, 'closed', cause]);
  }

  printed(print: TapePrint): void {
    this.#tape.push(print);
  }

  accountChanged({ index }: Account): void {
    this.#accounts.add(index);
  }

  ordersChanged({ index }: Account): void {
    this.#orders.add(index);
  }

  spotMoved(symbol: string): void {
    this.#symbols.add(symbol);
  }

  settled({ instrument, expiryTs }: Decision): void {
    this.#settled.add(`${instrument.symbol} ${expiryTs}`);
  }

  /** Call before the next entry. */
  clear(): void {
    this.#tape.length = 0;
    this.#fills.length = 0;
    this.#orderEvents.length = 0;
    this.#accounts.clear();
    this.#orders.clear();
    this.#symbols.clear();
    this.#settled.clear();
  }

  get fills(): readonly { readonly account: Account; readonly fill: FillRecord }[] {
    return this.#fills;
  }

  events(): PlainEvents {
    return {
      tape: this.#tape.map(({ series, priceMicros, qtyMicros, side, isSelf }) => [
        ...([series.sid, priceMicros, qtyMicros] as const),
        side,
        isSelf,
      ]),
      fillIds: this.#fills.map(({ fill }) => fill.id),
      ...byOrder(this.#orderEvents),
    };
  }

  /** Changes since before the entry that no effect announced. */
  unannounced(description: Description): string[] {
    this.#life.assertResting(description);
    const now = fingerprint(description);
    const before = this.#before;
    this.#before = now;
    return [
      ...changes(before.accounts, now.accounts, this.#accounts, 'positions or cash of account'),
      ...changes(before.orders, now.orders, this.#orders, 'orders of account'),
      ...changes(before.spots, now.spots, this.#symbols, 'spot of'),
      ...changes(before.prices, now.prices, this.#settled, 'settlement price of'),
    ];
  }
}

interface Fingerprint {
  readonly accounts: Map<number, string>;
  readonly orders: Map<number, string>;
  readonly spots: Map<string, string>;
  /** Settlement prices by expiry, as far as they are known. */
  readonly prices: Map<string, string>;
}

/** The venue's own accounts have no client to notify. */
function fingerprint({ accounts, series, instruments, decisions }: Description): Fingerprint {
  const traders = accounts.filter(({ address }) => address !== null);
  const own = new Set(accounts.filter(({ address }) => address === null).map(({ index }) => index));
  const settled = decisions.filter(({ price }) => price !== null);
  const priced = instruments.filter(({ spot }) => spot !== 0);
  const orders = new Map<number, string>();
  for (const { bids, asks } of series) {
    for (const { id, owner, set, price, qty, remaining } of [...bids, ...asks]) {
      if (own.has(owner) || set !== null) continue;
      orders.set(owner, `${orders.get(owner) ?? ''} ${id}:${remaining}/${qty}@${price}`);
    }
  }
  return {
    orders,
    accounts: new Map(traders.map(({ index, cash, positions }) => [index, held(cash, positions)])),
    prices: new Map(settled.map(({ symbol, expiryTs, price }) => [`${symbol} ${expiryTs}`, String(price)])),
    spots: new Map(priced.map(({ symbol, spot }) => [symbol, String(spot)])),
  };
}

function held(cash: unknown, positions: readonly { sid: number; qty: unknown }[]): string {
  const open = positions.filter(({ qty }) => qty !== 0);
  return `${cash} ${open.map(({ sid, qty }) => `${sid}:${qty}`).join(' ')}`;
}

function changes<K>(
  before: ReadonlyMap<K, string>,
  now: ReadonlyMap<K, string>,
  announced: ReadonlySet<K>,
  what: string,
): string[] {
  const keys = [...new Set([...before.keys(), ...now.keys()])];
  const changed = keys.filter((key) => before.get(key) !== now.get(key));
  return changed.filter((key) => !announced.has(key)).map((key) => `${what} ${key} changed unannounced`);
}
