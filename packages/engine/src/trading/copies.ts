/** Copies of the few things that an entry can touch, in which something of an account is only imagined. */

import { toMicros } from '@venue/protocol';
import { Book, type BookSide, BUY, type OrderHandle, OrderStore, SELL } from '../book/book.ts';
import { impactSizeMicros, isDust } from '../risk/impact.ts';
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
import { RestingTerms } from '../state/terms.ts';
import { walkBook } from './matching.ts';
import type { NewOrder } from './orders.ts';
import { bookSide, ownerOf } from './resting.ts';
import { accountVisits, copyVisits, unboundedWork, type Work } from './work.ts';

/** An order that a copy of the state is made for. */
export type CopiedFor = Pick<NewOrder, 'seriesId' | 'side' | 'qtyMicros' | 'priceMicros' | 'terms'>;

/** The same with its series, which is listed. */
interface Wanted extends CopiedFor {
  readonly series: Series;
}

interface ToCopy {
  readonly orders: readonly CopiedFor[];
  readonly work: Work;
}

/**
 * A state with a copy of all that an entry with these orders can change, and of all that the account's amounts are computed
 * from afterwards: the orders' series, whatever the orders could match there, and the owners of that. Sets that are filled
 * may lose all their quotes, so they are copied with all the series that they quote, and their accounts with all that
 * these hold. Null where that takes more work than there is.
 */
export function copyFor(
  state: State,
  account: Account,
  { orders, work }: ToCopy,
): { state: State; account: Account } | null {
  const wanted = orders.flatMap((order) => {
    const series = state.seriesById.get(order.seriesId);
    return series === undefined ? [] : [{ ...order, series }];
  });
  // In their own order, in which the end of an entry goes through them.
  const makers = filledMakers(state, account, { wanted, work });
  if (work.isSpent) return null;
  const whole = [...new Set([account, ...makers])].sort((a, b) => a.index - b.index);
  const leaving = whole.flatMap(({ index }) => state.quoteSets.of(index));
  const rows = leaving.reduce((sum, set) => sum + set.rows.size, 0);
  const positions = whole.reduce((sum, each) => sum + each.positions.size, 0);
  if (!work.spend(accountVisits({ sets: leaving.length, rows, positions }))) return null;
  const copier = new Copier(state, { traded: wanted.map(({ series }) => series), leaving, work });
  for (const each of whole) copier.copyWhole(each);
  if (!copier.copyBooks(account, wanted)) return null;
  return { state: copier.copy, account: copier.copyAccount(account) };
}

/** The accounts whose sets the orders, one after the other, could fill at most. */
function filledMakers(
  state: State,
  account: Account,
  { wanted, work }: { readonly wanted: readonly Wanted[]; readonly work: Work },
): Account[] {
  const walk = new FillableWalk(state);
  for (const { series, side, qtyMicros, priceMicros, terms } of wanted) {
    // An order of odd numbers is refused.
    if (!Number.isSafeInteger(qtyMicros) || !Number.isSafeInteger(priceMicros ?? 0)) continue;
    const limitMicros = priceMicros === null ? null : toMicros(priceMicros);
    const order = { account, series, side, qtyMicros: toMicros(qtyMicros), limitMicros, stp: terms.stp };
    if (!work.spend(walkBook(state, order, { walk, visitsMax: work.left }).visits)) break;
  }
  return walk.sets.map(({ set }) => state.accounts[set.account]!);
}

/**
 * A state with a copy of an account and its positions, for what is only imagined of them: books, resting orders and quote
 * sets are those of the original, and nothing may trade.
 */
export function copyOfAccount(state: State, account: Account): { state: State; account: Account } {
  const copier = new Copier(state, { traded: [], leaving: [], work: unboundedWork() });
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
  /** The worst price that the quantity trades at; null for any. */
  readonly limitMicros: number | null;
  /** The account whose orders are cancelled where they are met (STP-1). */
  readonly passedBy: Account | null;
}

/** What of a state is copied. */
interface Extent {
  readonly traded: readonly Series[];
  /** Sets that may lose all their quotes. */
  readonly leaving: readonly QuoteSet[];
  readonly work: Work;
}

class Copier {
  readonly copy: State;
  readonly #work: Work;
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
  constructor(original: State, { traded, leaving, work }: Extent) {
    this.#original = original;
    this.#work = work;
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
   * as many more as impact prices can be read from. Quotes that may leave do not count, and all of them are copied. False
   * where that takes more work than there is.
   */
  copyBooks(owner: Account, wanted: readonly Wanted[]): boolean {
    const orders = new Map(wanted.map((order) => [order.series.sid, order]));
    for (const [sid, series] of this.#copied) {
      const order = orders.get(sid);
      const stp = order?.terms.stp;
      const passedBy = stp === 'maker' || stp === 'both' ? owner : null;
      for (const side of [BUY, SELL] as const) {
        const isMet = order !== undefined && bookSide(order.side) !== side;
        const met = isMet ? order : NOT_MET;
        const wantedSide = { side, passedBy, qtyMicros: met.qtyMicros, limitMicros: met.priceMicros };
        if (!this.#copySide(series, wantedSide)) return false;
      }
    }
    for (const set of this.#leaving) if (!this.#copyQuotes(set)) return false;
    return true;
  }

  /** Copies an account with its position in the traded series; a counterparty needs no others. */
  copyAccount(account: Account): Account {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const { role, address } = account;
    const index = this.copy.accounts.length as AccountIndex;
    const copy = new Account({ index, role, address }, columnsOf(this.copy));
    copyFields(account, copy, IS_COPIED_OF_ACCOUNT);
    this.copy.terms.count(index, this.#original.terms.countsOf(account.index));
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

  #copySide({ book }: Series, { side, qtyMicros, limitMicros, passedBy }: WantedSide): boolean {
    const { orders, quoteSets } = this.#original;
    const walk = marksByModel(this.#original) ? new FillableWalk(this.#original) : null;
    const sizeMicros = impactSizeMicros(this.#original);
    let spare = walk === null ? 0 : IMPACT_ORDERS_MAX;
    let met = 0;
    let isBehind = false;
    for (let h = book.best(side); h !== null; h = book.next(h)) {
      const owner = orders.owner(h);
      const mayLeave = isSetOwner(owner) && this.#leaving.has(quoteSets.ofOwner(owner));
      if (!mayLeave && isBehind) {
        if (spare <= 0) break;
        const fillable = walk!.fillableMicros(h);
        walk!.take(h, fillable);
        // Dust bounds no mark.
        if (!isDust(sizeMicros, orders.price(h), fillable)) spare -= 1;
      }
      if (!this.#copyOrder(h)) return false;
      if (mayLeave) continue;
      if (ownerOf(this.#original, h) !== passedBy) met += orders.remaining(h);
      isBehind ||= met > qtyMicros || isBeyond(side, orders.price(h), limitMicros);
    }
    return true;
  }

  /** Copies the quotes of a set that lie further back than the copies of their sides go. */
  #copyQuotes(set: QuoteSet): boolean {
    const { orders } = this.#original;
    for (let h = orders.firstOf(ownerOfSet(set)); h !== null; h = orders.nextOf(h))
      if (this.copy.orders.find(orders.id(h)) === null && !this.#copyOrder(h)) return false;
    return true;
  }

  /** False where it takes more work than there is. */
  #copyOrder(h: OrderHandle): boolean {
    if (!this.#work.spend(copyVisits(1))) return false;
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
    return true;
  }
}

/** Of a side that no order meets. */
const NOT_MET = { qtyMicros: 0, priceMicros: null } as const;

/** True of resting orders that a limit keeps an order from. */
function isBeyond(side: BookSide, priceMicros: number, limitMicros: number | null): boolean {
  if (limitMicros === null) return false;
  return side === SELL ? priceMicros > limitMicros : priceMicros < limitMicros;
}
