/** Copies of the few things that an entry can touch, in which something of an account is only imagined. */

import { MICROS_PER_UNIT, toMicros } from '@venue/protocol';
import { Book, type BookSide, BUY, type OrderHandle, OrderStore, SELL } from '../book/book.ts';
import { copyGroups } from '../risk/defined-risk.ts';
import { countingOrders, impactSizeMicros, isDust } from '../risk/impact.ts';
import { memosForCopy } from '../risk/memos.ts';
import { marksByModel, positionMarkMicros } from '../risk/risk-marks.ts';
import { SetNeed } from '../risk/set-reserve.ts';
import { Account, AccountStore } from '../state/account.ts';
import { ClientIds } from '../state/client-ids.ts';
import { Deadlines } from '../state/deadlines.ts';
import { FillStore } from '../state/fill-store.ts';
import { FillableWalk, type WalkedSet } from '../state/fillable-walk.ts';
import { type AccountIndex, FEES, HOUSE, MAKER, type Sid } from '../state/ids.ts';
import { PositionStore } from '../state/positions.ts';
import { hasQuotes, isSetOwner, ownerOfSet, type QuoteSet, QuoteSets } from '../state/quote-sets.ts';
import type { Series } from '../state/series.ts';
import { columnsOf, type State } from '../state/state.ts';
import { RestingTerms } from '../state/terms.ts';
import { copyFields, copyPosition, IS_COPIED_OF_ACCOUNT, IS_COPIED_OF_SET } from './copied-fields.ts';
import { walkBook } from './matching.ts';
import type { NewOrder } from './orders.ts';
import { bookSide, ownerOf } from './resting.ts';
import { accountVisits, copyVisits, leavingVisits, unboundedWork, type Work } from './work.ts';

/** An order that a copy of the state is made for. */
export type CopiedFor = Pick<NewOrder, 'seriesId' | 'side' | 'qtyMicros' | 'priceMicros' | 'terms'>;

/** The same with its series, which is listed. */
interface Wanted extends CopiedFor {
  readonly series: Series;
}

/** A copied state, and the copy of the account that something is imagined of. */
export interface Copy {
  readonly state: State;
  readonly account: Account;
}

interface ToCopy {
  readonly orders: readonly CopiedFor[];
  readonly work: Work;
  /** Sets whose quotes leave, other than those that the orders use up. */
  readonly dropped: readonly QuoteSet[];
}

/** A copy that an entry can be carried out on. */
export interface WorkingCopy extends Copy {
  /** The originals of sets that have lost all quotes in the copy, though it was not made for that. */
  lost(): QuoteSet[];
}

/**
 * A state with a copy of all that an entry with these orders can change, and of all that the account's amounts are computed
 * from afterwards: the orders' series, whatever the orders could match there, and the owners of that. A set that is filled
 * is copied without its quotes elsewhere, as they stay. Those of one that leaves are gone from series whose marks matter to
 * an account that is copied as a whole; only these series are copied, too. Null where that takes more work than there is.
 */
export function copyFor(
  state: State,
  account: Account,
  { orders, work, dropped }: ToCopy,
): WorkingCopy | null {
  const wanted = orders.flatMap((order) => {
    const series = state.seriesById.get(order.seriesId);
    return series === undefined ? [] : [{ ...order, series }];
  });
  const walked = walkedSets(state, account, { wanted, work });
  if (work.isSpent) return null;
  const makers = walked.map(({ set }) => state.accounts[set.account]!);
  // In their own order, in which the end of an entry goes through them.
  const whole = [...new Set([account, ...makers])].sort((a, b) => a.index - b.index);
  const sets = whole.flatMap(({ index }) => state.quoteSets.of(index));
  const rows = sets.reduce((sum, set) => sum + set.rows.size, 0);
  const positions = whole.reduce((sum, each) => sum + each.positions.size, 0);
  const usedUp = walked.flatMap(({ set, isUsedUp }) => (isUsedUp ? set : []));
  // As the entry counts them, since most of them are not in the copy.
  const quotes = usedUp.reduce((sum, set) => sum + state.orders.countOf(ownerOfSet(set)), 0);
  work.spend(leavingVisits(quotes, { isCombo: wanted.length > 1 }));
  if (!work.spend(accountVisits({ sets: sets.length, rows, positions }))) return null;
  const leaving = new Set([...dropped, ...usedUp]);
  const traded = wanted.map(({ series }) => series);
  const filled = new Set(walked.map(({ set }) => ownerOfSet(set)));
  const copier = new Copier(state, { traded, whole, sets, leaving, filled, work });
  if (!copier.copyBooks(account, wanted)) return null;
  return { state: copier.copy, account: copier.copyAccount(account), lost: () => copier.lost() };
}

/** The sets that the orders, one after the other, could fill at most. */
function walkedSets(
  state: State,
  account: Account,
  { wanted, work }: { readonly wanted: readonly Wanted[]; readonly work: Work },
): readonly WalkedSet[] {
  const walk = new FillableWalk(state);
  for (const { series, side, qtyMicros, priceMicros, terms } of wanted) {
    // An order of odd numbers is refused.
    if (!Number.isSafeInteger(qtyMicros) || !Number.isSafeInteger(priceMicros ?? 0)) continue;
    const limitMicros = priceMicros === null ? null : toMicros(priceMicros);
    const order = { account, series, side, qtyMicros: toMicros(qtyMicros), limitMicros, stp: terms.stp };
    if (!work.spend(walkBook(state, order, { walk, visitsMax: work.left }).visits)) break;
  }
  return walk.sets;
}

/**
 * A state with a copy of an account and its positions, for what is only imagined of them: books, resting orders and quote
 * sets are those of the original, and nothing may trade.
 */
export function copyOfAccount(state: State, account: Account): Copy {
  const none = { traded: [], sets: [], leaving: new Set<QuoteSet>(), filled: new Set<number>() };
  const copier = new Copier(state, { ...none, whole: [account], work: unboundedWork() });
  const copy = copier.copyAccount(account);
  const { orders, terms, deadlines, quoteSets } = state;
  return { state: { ...copier.copy, orders, terms, deadlines, quoteSets }, account: copy };
}

interface WantedSide {
  readonly side: BookSide;
  readonly qtyMicros: number;
  /** The worst price that the quantity trades at; null for any. */
  readonly limitMicros: number | null;
  /** The account whose orders are cancelled where they are met (STP-1). */
  readonly passedBy: Account | null;
}

/** The parts of a state that are copied. */
interface Extent {
  readonly traded: readonly Series[];
  /** The accounts that are copied with everything that they hold, and their sets. */
  readonly whole: readonly Account[];
  readonly sets: readonly QuoteSet[];
  /** Sets that lose all their quotes. */
  readonly leaving: ReadonlySet<QuoteSet>;
  /** The owners of quotes whose sets the orders could fill, wherever else they quote. */
  readonly filled: ReadonlySet<number>;
  readonly work: Work;
}

class Copier {
  readonly copy: State;
  readonly #work: Work;
  readonly #original: State;
  readonly #accounts = new Map<Account, Account>();
  readonly #sets = new Map<QuoteSet, QuoteSet>();
  readonly #traded: ReadonlySet<Sid>;
  readonly #whole: ReadonlySet<Account>;
  readonly #leaving: ReadonlySet<QuoteSet>;
  readonly #filled: ReadonlySet<number>;
  /** By sid, the originals of the series that have a book of their own in the copy. */
  readonly #copied = new Map<Sid, Series>();

  /** Copied series have books of their own, still empty; other series are shared. */
  constructor(original: State, { traded, whole, sets, leaving, filled, work }: Extent) {
    this.#original = original;
    this.#work = work;
    this.#traded = new Set(traded.map(({ sid }) => sid));
    this.#whole = new Set(whole);
    this.#leaving = leaving;
    this.#filled = filled;
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
      riskMemos: memosForCopy(original),
      positions: new PositionStore(all),
      accountRows: new AccountStore(original.sessions),
      fills: new FillStore(all, original.sessions),
    };
    for (const series of [...traded, ...this.#marked({ whole, sets })]) this.#copySeries(series);
    for (const index of [HOUSE, FEES, MAKER]) this.copyAccount(original.accounts[index]!);
    for (const account of whole) this.copyAccount(account);
    for (const set of sets) this.#copySet(set);
  }

  /** The series that leaving sets quote and whose marks enter what the whole accounts have or reserve. */
  #marked({ whole, sets }: Pick<Extent, 'whole' | 'sets'>): Series[] {
    const staying = sets.filter((set) => !this.#leaving.has(set));
    const enters = (sid: Sid) =>
      whole.some(({ positions }) => positions.has(sid)) || staying.some(({ rows }) => rows.has(sid));
    return [...this.#leaving].flatMap(({ rows }) =>
      [...rows.values()]
        .filter((row) => hasQuotes(row) && enters(row.sid))
        .map(({ sid }) => this.#original.series[sid]!),
    );
  }

  lost(): QuoteSet[] {
    return [...this.#sets].flatMap(([set, copy]) =>
      set.rows.size > 0 && copy.rows.size === 0 && !this.#leaving.has(set) ? set : [],
    );
  }

  /**
   * Copies the orders that orders of these sides and sizes can match, and for the mark afterwards one more per side, or
   * as many more as impact prices can be read from. Quotes that leave do not count. False where that takes more work than
   * there is.
   */
  copyBooks(owner: Account, wanted: readonly Wanted[]): boolean {
    const orders = new Map(wanted.map((order) => [order.series.sid, order]));
    // Of sets that only stand behind what is met, nothing changes but the marks that they bound.
    const changing = new Set(this.#sets.keys());
    for (const [sid, series] of this.#copied) {
      const order = orders.get(sid);
      const stp = order?.terms.stp;
      const passedBy = stp === 'maker' || stp === 'both' ? owner : null;
      for (const side of [BUY, SELL] as const) {
        const isMet = order !== undefined && bookSide(order.side) !== side;
        const met = isMet ? order : NOT_MET;
        const wantedSide = { side, passedBy, qtyMicros: met.qtyMicros, limitMicros: met.priceMicros };
        const owners = this.#copySide(series, wantedSide);
        if (owners === null) return false;
        for (const owner of owners) changing.add(this.#original.quoteSets.ofOwner(owner));
      }
    }
    for (const set of changing) if (!this.#copyQuotes(set)) return false;
    return true;
  }

  /** Copies an account, unless it is one of the whole ones with its positions in the traded series alone. */
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
    if (this.#whole.has(account)) {
      for (const position of account.positions) copyPosition(position, copy);
      copyGroups(this.#original, account, { state: this.copy, account: copy });
      return copy;
    }
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
    // What its quotes elsewhere need is worked out here, as they are not in the copy.
    new SetNeed(this.#original).addAll(set);
    copyFields(set, copy, IS_COPIED_OF_SET);
    for (const [sid, row] of set.rows) copy.rows.set(sid, this.#copied.has(sid) ? { ...row } : row);
    this.#sets.set(set, copy);
    return copy;
  }

  /** Returns the sets that have quotes where the side is met; null where it takes more work than there is. */
  #copySide(series: Series, wanted: WantedSide): Set<number> | null {
    const met = this.#copyMet(series, wanted);
    if (met === null || !marksByModel(this.#original)) return met;
    return this.#copyBehind(series, wanted.side, met) ? met : null;
  }

  /**
   * Copies what can be met and the first order behind it. Returns the sets that have quotes there; null where it takes more
   * work than there is.
   */
  #copyMet({ book }: Series, { side, qtyMicros, limitMicros, passedBy }: WantedSide): Set<number> | null {
    const { orders, quoteSets } = this.#original;
    const sets = new Set<number>();
    let met = 0;
    for (let h = book.best(side); h !== null; h = book.next(h)) {
      if (!this.#copyOrder(h)) return null;
      const owner = orders.owner(h);
      if (isSetOwner(owner)) sets.add(owner);
      if (isSetOwner(owner) && this.#leaving.has(quoteSets.ofOwner(owner))) continue;
      if (ownerOf(this.#original, h) !== passedBy) met += orders.remaining(h);
      if (met > qtyMicros || isBeyond(side, orders.price(h), limitMicros)) break;
    }
    return sets;
  }

  /** Copies as much as an impact price is made of, whatever becomes of what was met. Dust bounds no mark. */
  #copyBehind(series: Series, side: BookSide, met: ReadonlySet<number>): boolean {
    const { orders, quoteSets } = this.#original;
    const sizeMicros = impactSizeMicros(this.#original);
    // Passes over quotes that count for nothing. Those of sets that the order changes are copied in any case.
    positionMarkMicros(this.#original, series);
    const sieve = countingOrders(this.#original, series.book, side, sizeMicros);
    const walk = new FillableWalk(this.#original, { isOfMarks: true });
    let [value, qty] = [0, 0];
    for (let i = 0, h = sieve.at(i); h !== null; i += 1, h = sieve.at(i)) {
      if (value >= sizeMicros * MICROS_PER_UNIT && qty >= MICROS_PER_UNIT) break;
      const owner = orders.owner(h);
      if (this.copy.orders.find(orders.id(h)) !== null) continue;
      if (isSetOwner(owner) && this.#leaving.has(quoteSets.ofOwner(owner))) continue;
      // What is left of the allowance of a set that is filled, here or elsewhere, depends on how far, and only falls.
      const fillable = walk.fillableMicros(h);
      if (isDust(sizeMicros, orders.price(h), fillable)) {
        if (!this.#work.spend(1)) return false;
        continue;
      }
      if (!this.#copyOrder(h)) return false;
      if (met.has(owner) || this.#filled.has(owner)) continue;
      walk.take(h, fillable);
      value += orders.price(h) * fillable;
      qty += fillable;
    }
    return true;
  }

  /** Copies the quotes of a set in copied series that lie further back than the copies of their sides go. */
  #copyQuotes({ rows }: QuoteSet): boolean {
    const { orders } = this.#original;
    for (const sid of this.#copied.keys()) {
      const row = rows.get(sid);
      for (const id of row === undefined ? [] : [...row.bids, ...row.asks]) {
        const h = orders.find(id);
        if (h !== null && this.copy.orders.find(id) === null && !this.#copyOrder(h)) return false;
      }
    }
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

/** The limits of a side that no order meets. */
const NOT_MET = { qtyMicros: 0, priceMicros: null } as const;

/** True of resting orders that a limit keeps an order from. */
function isBeyond(side: BookSide, priceMicros: number, limitMicros: number | null): boolean {
  if (limitMicros === null) return false;
  return side === SELL ? priceMicros > limitMicros : priceMicros < limitMicros;
}
