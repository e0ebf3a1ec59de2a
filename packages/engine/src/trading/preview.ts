/** Previews an order (OWN-35) by executing it on a copy of the few things that it touches. */

import { clampMicros, type Micros, type OrderTerms, toMicros } from '@venue/protocol';
import { Book, type BookSide, BUY, type OrderHandle, OrderStore, SELL } from '../book/book.ts';
import { type Effects, NO_EFFECTS } from '../entry/effects.ts';
import { buyingPowerMicros, equityMicros, lockedMicros, maintenanceMarginMicros } from '../risk/margin.ts';
import { marksByModel } from '../risk/risk-marks.ts';
import { Account, AccountStore } from '../state/account.ts';
import { ClientIds } from '../state/client-ids.ts';
import { Deadlines } from '../state/deadlines.ts';
import { FillStore } from '../state/fill-store.ts';
import { FillableWalk } from '../state/fillable-walk.ts';
import { type AccountIndex, FEES, HOUSE, MAKER, type Sid } from '../state/ids.ts';
import { IMPACT_ORDERS_MAX } from '../state/limits.ts';
import { type Position, PositionStore } from '../state/positions.ts';
import { hasQuotes, isSetOwner, ownerOfSet, type QuoteSet, QuoteSets } from '../state/quote-sets.ts';
import type { Series } from '../state/series.ts';
import { columnsOf, type State } from '../state/state.ts';
import { PLAIN_LIMIT, PLAIN_MARKET, RestingTerms } from '../state/terms.ts';
import { fillValueMicros, walkBook } from './matching.ts';
import type { OrderRequest } from './order-checks.ts';
import { type Declined, type NewOrder, type Placed, placeOrder } from './orders.ts';
import { bookSide, ownerOf } from './resting.ts';
import { endEntry } from './set-reserves.ts';

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
  const { bill, ...foreseen } = foresee({ state, account, ts }, [request], (copy, effects) =>
    placeOrder(copy.state, effects, copy.account, request),
  );
  // Only one of the two is not zero.
  return { ...foreseen, valueMicros: clampMicros(bill.paid + bill.received), feeMicros: bill.feeMicros };
}

/** An account, and the time at which something of it is imagined. */
interface Present {
  readonly state: State;
  readonly account: Account;
  /** Counts from the log's time on. */
  readonly ts: number;
}

/** The outcome of placing orders on a copy of the state, with the account's amounts before and after the whole entry. */
export function foresee<T extends { readonly status: string }>(
  { state, account, ts }: Present,
  orders: readonly CopiedFor[],
  place: (copy: { state: State; account: Account }, effects: Effects) => T,
): { outcome: T; bill: Bill; before: AccountAmounts; after: AccountAmounts } {
  const now = { ...state, ts: Math.max(ts, state.ts) };
  // Marks of a model age, so that only amounts of one time differ by the orders alone.
  const before = amountsOf(now, account);
  const copy = copyFor(now, account, orders);
  const bill = new Bill();
  const outcome = place(copy, bill.effects);
  endEntry(copy.state, NO_EFFECTS);
  const after = outcome.status === 'rejected' ? before : amountsOf(copy.state, copy.account);
  return { outcome, bill, before, after };
}

/** Adds up what a taker's fills cost. */
class Bill {
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
type CopiedFor = Pick<NewOrder, 'seriesId' | 'side' | 'qtyMicros' | 'priceMicros' | 'terms'>;

/** The same with its series, which is listed. */
interface Wanted extends CopiedFor {
  readonly series: Series;
}

/**
 * A state with a copy of all that an entry with these orders can change, and of all that the account's amounts are computed
 * from afterwards: the orders' series, whatever the orders could match there, and the owners of that. Sets that are filled
 * may lose all their quotes, so they are copied with all the series that they quote, and their accounts with all that
 * these hold.
 */
export function copyFor(
  state: State,
  account: Account,
  orders: readonly CopiedFor[],
): { state: State; account: Account } {
  const wanted = orders.flatMap((order) => {
    const series = state.seriesById.get(order.seriesId);
    return series === undefined ? [] : [{ ...order, series }];
  });
  // In their own order, in which the end of an entry goes through them.
  const whole = [...new Set([account, ...filledMakers(state, account, wanted)])].sort(
    (a, b) => a.index - b.index,
  );
  const copier = new Copier(
    state,
    wanted.map(({ series }) => series),
    whole.flatMap(({ index }) => state.quoteSets.of(index)),
  );
  for (const each of whole) copier.copyWhole(each);
  copier.copyBooks(account, wanted);
  return { state: copier.copy, account: copier.copyAccount(account) };
}

/** The accounts whose sets the orders, one after the other, could fill at most. */
function filledMakers(state: State, account: Account, wanted: readonly Wanted[]): Account[] {
  const walk = new FillableWalk(state);
  for (const { series, side, qtyMicros, priceMicros, terms } of wanted) {
    // An order of odd numbers is refused.
    if (!Number.isSafeInteger(qtyMicros) || !Number.isSafeInteger(priceMicros ?? 0)) continue;
    const limitMicros = priceMicros === null ? null : toMicros(priceMicros);
    const order = { account, series, side, qtyMicros: toMicros(qtyMicros), limitMicros, stp: terms.stp };
    walkBook(state, order, walk);
  }
  return walk.sets.map(({ set }) => state.accounts[set.account]!);
}

/**
 * A state with a copy of an account and its positions, for what is only imagined of them: books, resting orders and quote
 * sets are those of the original, and nothing may trade.
 */
export function copyOfAccount(state: State, account: Account): { state: State; account: Account } {
  const copier = new Copier(state, []);
  const copy = copier.copyWhole(account);
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
  ...{ wasCalled: false, calledSince: false, quarters: false, heldMicros: false, heldCount: false },
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
  readonly #traded: ReadonlySet<Sid>;
  readonly #leaving: ReadonlySet<QuoteSet>;
  /** By sid, the originals of the series that have a book of their own in the copy. */
  readonly #copied = new Map<Sid, Series>();

  /**
   * The copies of the traded series, and of those in which the leaving sets have quotes, have books of their own, still
   * empty; other series are shared.
   */
  constructor(original: State, traded: readonly Series[], leaving: readonly QuoteSet[] = []) {
    this.#original = original;
    this.#traded = new Set(traded.map(({ sid }) => sid));
    this.#leaving = new Set(leaving);
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
    const quoted = leaving.flatMap(({ rows }) => [...rows.values()].filter(hasQuotes));
    for (const series of [...traded, ...quoted.map(({ sid }) => all[sid]!)]) this.#copySeries(series);
    for (const index of [HOUSE, FEES, MAKER]) this.copyAccount(original.accounts[index]!);
  }

  /** Copies an account with everything that it holds and its sets. */
  copyWhole(account: Account): Account {
    const copy = this.copyAccount(account);
    for (const position of account.positions) copyPosition(position, copy);
    for (const set of this.#original.quoteSets.of(account.index))
      if (this.#leaving.has(set)) this.#copySet(set);
    return copy;
  }

  /**
   * Copies the orders that orders of these sides and sizes can match, and for the mark afterwards one more per side, or
   * as many more as impact prices can be read from. Quotes that may leave do not count, and all of them are copied.
   */
  copyBooks(owner: Account, wanted: readonly Wanted[]): void {
    const orders = new Map(wanted.map((order) => [order.series.sid, order]));
    for (const [sid, series] of this.#copied) {
      const order = orders.get(sid);
      const stp = order?.terms.stp;
      const passedBy = stp === 'maker' || stp === 'both' ? owner : null;
      for (const side of [BUY, SELL] as const) {
        const isMet = order !== undefined && bookSide(order.side) !== side;
        this.#copySide(series, { side, qtyMicros: isMet ? order.qtyMicros : 0, passedBy });
      }
    }
    for (const set of this.#leaving) this.#copyQuotes(set);
  }

  /** Copies an account with its position in the traded series; a counterparty needs no others. */
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
    for (const sid of this.#traded) {
      const position = account.positions.get(sid);
      if (position !== undefined) copyPosition(position, copy);
    }
    return copy;
  }

  #copySeries(series: Series): void {
    if (this.#copied.has(series.sid)) return;
    this.#copied.set(series.sid, series);
    const book = new Book(this.copy.orders, series.sid);
    const copy = { ...series, book, holders: [] };
    this.copy.series[series.sid] = copy;
    this.copy.seriesById.set(series.seriesId, copy);
  }

  /** Copies a set with its rows, but without its quotes; those of series that are not copied stay as they are. */
  #copySet(set: QuoteSet): QuoteSet {
    const known = this.#sets.get(set);
    if (known !== undefined) return known;
    const { index } = this.copyAccount(this.#original.accounts[set.account]!);
    const { number, slot, symbol, protection } = set;
    const copy = this.copy.quoteSets.open(index, number, { symbol, protection, slot, ts: set.lastPushTs });
    copyFields(set, copy, IS_COPIED_OF_SET);
    for (const [sid, row] of set.rows) copy.rows.set(sid, this.#copied.has(sid) ? { ...row } : row);
    this.#sets.set(set, copy);
    return copy;
  }

  #copySide({ book }: Series, { side, qtyMicros, passedBy }: WantedSide): void {
    const { orders, quoteSets } = this.#original;
    let spare = marksByModel(this.#original) ? IMPACT_ORDERS_MAX : 0;
    let met = 0;
    for (let h = book.best(side); h !== null; h = book.next(h)) {
      const owner = orders.owner(h);
      const mayLeave = isSetOwner(owner) && this.#leaving.has(quoteSets.ofOwner(owner));
      if (!mayLeave && met > qtyMicros && spare-- <= 0) break;
      this.#copyOrder(h);
      if (!mayLeave && ownerOf(this.#original, h) !== passedBy) met += orders.remaining(h);
    }
  }

  /** Copies the quotes of a set that lie further back than the copies of their sides go. */
  #copyQuotes(set: QuoteSet): void {
    const { orders } = this.#original;
    for (let h = orders.firstOf(ownerOfSet(set)); h !== null; h = orders.nextOf(h))
      if (this.copy.orders.find(orders.id(h)) === null) this.#copyOrder(h);
  }

  #copyOrder(h: OrderHandle): void {
    const { orders, quoteSets } = this.#original;
    const owner = orders.owner(h);
    const { book } = this.copy.series[orders.book(h)]!;
    book.place({
      id: orders.id(h),
      owner: isSetOwner(owner)
        ? ownerOfSet(this.#copySet(quoteSets.ofOwner(owner)))
        : this.copyAccount(ownerOf(this.#original, h)).index,
      side: orders.side(h),
      price: orders.price(h),
      quantity: orders.quantity(h),
      remaining: orders.remaining(h),
      placedAt: orders.placedAt(h),
    });
  }
}
