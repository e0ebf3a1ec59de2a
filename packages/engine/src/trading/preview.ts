/** Previews an order (OWN-35) by executing it on a copy of the few things that it touches. */

import { clampMicros, type Micros, type OrderTerms } from '@venue/protocol';
import { Book, type BookSide, BUY, OrderStore, SELL } from '../book/book.ts';
import { type Effects, NO_EFFECTS } from '../entry/effects.ts';
import { buyingPowerMicros, equityMicros, lockedMicros, maintenanceMarginMicros } from '../risk/margin.ts';
import { marksByModel } from '../risk/risk-marks.ts';
import { SetNeed } from '../risk/set-reserve.ts';
import { Account, AccountStore } from '../state/account.ts';
import { ClientIds } from '../state/client-ids.ts';
import { Deadlines } from '../state/deadlines.ts';
import { FillStore } from '../state/fill-store.ts';
import { type AccountIndex, FEES, HOUSE, MAKER, type Sid } from '../state/ids.ts';
import { IMPACT_ORDERS_MAX } from '../state/limits.ts';
import { type Position, PositionStore } from '../state/positions.ts';
import {
  contractsLeftMicros,
  isSetOwner,
  ownerOfSet,
  type QuoteSet,
  QuoteSets,
} from '../state/quote-sets.ts';
import type { Series } from '../state/series.ts';
import { columnsOf, type State } from '../state/state.ts';
import { PLAIN_LIMIT, PLAIN_MARKET, RestingTerms } from '../state/terms.ts';
import { fillValueMicros } from './matching.ts';
import type { OrderRequest } from './order-checks.ts';
import { type Declined, type NewOrder, type Placed, placeOrder } from './orders.ts';
import { bookSide, ownerOf } from './resting.ts';
import { setReserve } from './set-reserves.ts';

export interface AccountAmounts {
  readonly cashMicros: Micros;
  readonly lockedMicros: Micros;
  readonly buyingPowerMicros: Micros;
  readonly equityMicros: Micros;
  readonly maintenanceMarginMicros: Micros;
}

export interface OrderPreview {
  readonly outcome: Placed | Declined;
  /** Premium of the fills: paid by a buy, received by a sell. */
  readonly valueMicros: Micros;
  readonly feeMicros: Micros;
  readonly before: AccountAmounts;
  /** As the order would leave them; unchanged if it would be rejected. */
  readonly after: AccountAmounts;
}

/** An order as a preview takes it; one without terms is an order placed by itself. */
export interface PreviewedOrder extends OrderRequest {
  readonly terms?: OrderTerms;
}

/** Previews an order at a time not before the log's, as if its client id were new. Does not change the state. */
export function previewOrder(
  state: State,
  account: Account,
  order: PreviewedOrder,
  ts: number,
): OrderPreview {
  const terms = order.terms ?? (order.priceMicros === null ? PLAIN_MARKET : PLAIN_LIMIT);
  const { clientId: _, ...anonymous } = terms;
  const request = { ...order, terms: anonymous, signer: null };
  const now = { ...state, ts: Math.max(ts, state.ts) };
  // Marks of a model age, so that only amounts of one time differ by the order alone.
  const before = amountsOf(now, account);
  const copy = copyFor(now, account, [request]);
  const bill = new Bill();
  const outcome = placeOrder(copy.state, bill.effects, copy.account, request);
  copy.retakeReserves();
  const after = outcome.status === 'rejected' ? before : amountsOf(copy.state, copy.account);
  const { paid, received, feeMicros } = bill;
  // Only one of the two is not zero.
  return { outcome, valueMicros: clampMicros(paid + received), feeMicros, before, after };
}

/** Adds up what a taker's fills cost. */
export class Bill {
  #fee = 0;
  paid = 0;
  received = 0;
  readonly effects: Effects = {
    ...NO_EFFECTS,
    filled: (_, fill) => {
      if (!fill.taker) return;
      const value = fillValueMicros(fill.side, fill.priceMicros, fill.qtyMicros);
      if (fill.side === 'buy') this.paid += value;
      else this.received += value;
      this.#fee += fill.feeMicros;
    },
  };

  get feeMicros(): Micros {
    return clampMicros(this.#fee);
  }
}

/** The current amounts of an account. */
export function amountsOf(state: State, account: Account): AccountAmounts {
  return {
    cashMicros: account.cashMicros,
    lockedMicros: lockedMicros(state, account),
    buyingPowerMicros: buyingPowerMicros(state, account),
    equityMicros: equityMicros(state, account),
    maintenanceMarginMicros: maintenanceMarginMicros(state, account),
  };
}

/** An order that a copy of the state is made for. */
export type CopiedFor = Pick<NewOrder, 'seriesId' | 'side' | 'qtyMicros' | 'terms'>;

/** A state with a copy of the orders' series, of whatever the orders could match there, and of the owners of that. */
export function copyFor(
  state: State,
  account: Account,
  orders: readonly CopiedFor[],
): { state: State; account: Account; retakeReserves: () => void } {
  const wanted = orders.flatMap((order) => {
    const series = state.seriesById.get(order.seriesId);
    return series === undefined ? [] : [{ ...order, series }];
  });
  const copier = new Copier(
    state,
    wanted.map(({ series }) => series),
  );
  const copy = copier.copyAccount(account);
  for (const position of account.positions) copyPosition(position, copy);
  for (const set of state.quoteSets.of(account.index)) copier.copySet(set);
  copier.copyOrders(copy, wanted);
  return { state: copier.copy, account: copy, retakeReserves: () => copier.retakeReserves(account) };
}

/**
 * A state with a copy of an account and its positions, for what is only imagined of them: books, resting orders and quote
 * sets are those of the original, and nothing may trade.
 */
export function copyOfAccount(state: State, account: Account): { state: State; account: Account } {
  const copier = new Copier(state, []);
  const copy = copier.copyAccount(account);
  for (const position of account.positions) copyPosition(position, copy);
  const { orders, terms, deadlines, quoteSets } = state;
  return { state: { ...copier.copy, orders, terms, deadlines, quoteSets }, account: copy };
}

function copyPosition(position: Position, owner: Account): void {
  const { sid } = position;
  copyFields(position, owner.positions.get(sid) ?? owner.positions.open(sid), IS_COPIED_OF_POSITION);
}

/** For every field, whether it must be copied. The compiler rejects a list with a missing field. */
type IsCopied<T> = Readonly<Record<keyof T, boolean>>;

const IS_COPIED_OF_ACCOUNT: IsCopied<Account> = {
  cashMicros: true,
  realizedMicros: true,
  reservedMicros: true,
  marginEnabled: true,
  marginMode: true,
  frozen: true,
  shortCount: true,
  // Set when the copy is created: its own index, its own positions.
  ...{ index: false, role: false, address: false, positions: false },
  // Fields that no order's result depends on: about signing, past actions and real money.
  ...{ lastSession: false, sessions: false, fills: false, payouts: false },
  ...{ wasCalled: false, quarters: false, heldMicros: false, heldCount: false },
};

const IS_COPIED_OF_POSITION: IsCopied<Position> = {
  qtyMicros: true,
  costMicros: true,
  realizedMicros: true,
  restingBuyMicros: true,
  restingSellMicros: true,
  // Its identity, which the copy already has.
  ...{ sid: false, series: false },
};

const IS_COPIED_OF_SET: IsCopied<QuoteSet> = {
  usedMicros: true,
  usedDelta: true,
  firstFillTs: true,
  freeze: true,
  lastNonce: true,
  reserveMicros: true,
  deltaBoundMicros: true,
  // Set when the copy is created; its rows are copied one by one.
  ...{ slot: false, account: false, number: false, symbol: false, protection: false },
  ...{ lastPushTs: false, rows: false },
};

function copyFields<T extends object>(from: T, to: T, isCopied: IsCopied<T>): void {
  for (const field in isCopied) if (isCopied[field]) to[field] = from[field];
}

interface WantedSide {
  readonly side: BookSide;
  readonly qtyMicros: number;
  /** The account whose orders are cancelled where they are met (STP-1). */
  readonly passedBy: Account | null;
}

class Copier {
  readonly copy: State;
  readonly #original: State;
  readonly #accounts = new Map<Account, Account>();
  readonly #sets = new Map<QuoteSet, QuoteSet>();
  readonly #sids: ReadonlySet<Sid>;

  /** The copies of these series have books of their own, still empty; other series are shared. */
  constructor(original: State, copied: readonly Series[]) {
    this.#original = original;
    this.#sids = new Set(copied.map(({ sid }) => sid));
    const all = [...original.series];
    this.copy = {
      ...original,
      accounts: [],
      series: all,
      seriesById: new Map(),
      orders: new OrderStore(),
      terms: new RestingTerms(),
      clientIds: new ClientIds(),
      deadlines: new Deadlines(),
      quoteSets: new QuoteSets(original.quoteSets),
      // Versions of allowances count on by themselves in a copy.
      riskMarks: [...original.riskMarks],
      marginGroups: new Map(),
      positions: new PositionStore(all),
      accountRows: new AccountStore(original.sessions),
      fills: new FillStore(all, original.sessions),
    };
    for (const series of copied) {
      const book = new Book(this.copy.orders, series.sid);
      const copy = { ...series, book, holders: [] };
      all[series.sid] = copy;
      this.copy.seriesById.set(series.seriesId, copy);
    }
    for (const index of [HOUSE, FEES, MAKER]) this.copyAccount(original.accounts[index]!);
  }

  /**
   * Copies the orders that orders of these sides and sizes can match, and for the mark afterwards one more per side, or
   * as many more as impact prices can be read from. Once a quote of a set is met it is all of them: the set may leave,
   * and any order can be the next in line.
   */
  copyOrders(owner: Account, wanted: readonly (CopiedFor & { readonly series: Series })[]): void {
    const passedBy = ({ stp }: OrderTerms) => (stp === 'maker' || stp === 'both' ? owner : null);
    for (const { series, side, qtyMicros, terms } of wanted) {
      const opposite = bookSide(side) === BUY ? SELL : BUY;
      this.#copySide(series, { side: opposite, qtyMicros, passedBy: passedBy(terms) });
    }
    const most = this.#sets.size > 0 ? Number.POSITIVE_INFINITY : 0;
    for (const { series, side, terms } of wanted)
      this.#copySide(series, { side: bookSide(side), qtyMicros: most, passedBy: passedBy(terms) });
  }

  /** Copies a set with its rows, but without its quotes; those of other series stay as they are. */
  copySet(set: QuoteSet): QuoteSet {
    const known = this.#sets.get(set);
    if (known !== undefined) return known;
    const { index } = this.copyAccount(this.#original.accounts[set.account]!);
    const { number, slot, symbol, protection } = set;
    const copy = this.copy.quoteSets.open(index, number, { symbol, protection, slot, ts: set.lastPushTs });
    copyFields(set, copy, IS_COPIED_OF_SET);
    for (const [sid, row] of set.rows) copy.rows.set(sid, this.#sids.has(sid) ? { ...row } : row);
    this.#sets.set(set, copy);
    return copy;
  }

  /** Computes the reserves of the account's sets that lost quotes again, as the end of the entry will. */
  retakeReserves(account: Account): void {
    const { copy } = this;
    for (const set of this.#original.quoteSets.of(account.index)) {
      const own = this.copySet(set);
      if (!copy.quoteSets.stale.has(own)) continue;
      const need = new SetNeed(copy).addStanding(own);
      if (own.freeze === null) need.addStanding(set, (sid) => !this.#sids.has(sid), this.#original.orders);
      setReserve(copy, NO_EFFECTS, own, need.reserveMicros(contractsLeftMicros(own)));
    }
  }

  /** Copies an account with its position in the series; a counterparty needs no others. */
  copyAccount(account: Account): Account {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const { role, address } = account;
    const index = this.copy.accounts.length as AccountIndex;
    const copy = new Account({ index, role, address }, columnsOf(this.copy));
    copyFields(account, copy, IS_COPIED_OF_ACCOUNT);
    this.copy.terms.countTimed(index, this.#original.terms.timedCountOf(account.index));
    this.#accounts.set(account, copy);
    this.copy.accounts.push(copy);
    for (const sid of this.#sids) {
      const position = account.positions.get(sid);
      if (position !== undefined) copyPosition(position, copy);
    }
    return copy;
  }

  #copySide(series: Series, wanted: WantedSide): void {
    const { orders } = this.#original;
    const { book } = this.copy.series[series.sid]!;
    let spare = marksByModel(this.#original) ? IMPACT_ORDERS_MAX : 0;
    let met = 0;
    for (let h = series.book.best(wanted.side); h !== null; h = series.book.next(h)) {
      if (met > wanted.qtyMicros && spare-- <= 0) break;
      const owner = this.copyAccount(ownerOf(this.#original, h));
      const isQuote = isSetOwner(orders.owner(h));
      if (isQuote) met = Number.NEGATIVE_INFINITY;
      if (owner !== wanted.passedBy) met += orders.remaining(h);
      book.place({
        id: orders.id(h),
        owner: isQuote
          ? ownerOfSet(this.copySet(this.#original.quoteSets.ofOwner(orders.owner(h))))
          : owner.index,
        side: wanted.side,
        price: orders.price(h),
        quantity: orders.quantity(h),
        remaining: orders.remaining(h),
        placedAt: orders.placedAt(h),
      });
    }
  }
}
