/** Reads of the history. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type HourlyPage, type HourlyQuery, HourlyReads } from './hourly-reads.ts';
import {
  type CandlesPage,
  type CandlesQuery,
  type DayTradesAnswer,
  type DayTradesQuery,
  MarketReads,
  type PrintsPage,
  type PrintsQuery,
} from './market-reads.ts';
import {
  type OrderQuery,
  OrderReads,
  type OrdersPage,
  type OrdersQuery,
  type StoredOrder,
} from './order-reads.ts';
import type { StoredRow } from './rows.ts';

/** A movement as stored. */
export interface Movement extends Omit<StoredRow<'movements'>, 'account' | 'sid'> {
  readonly balance: number;
  readonly seriesId: string | null;
  readonly symbol: string | null;
}

/** A position between two movements: right after the one named. */
export interface Place {
  readonly seq: number;
  readonly n: number;
}

export interface StatementQuery {
  readonly account: number;
  /** Unix ms, inclusive. */
  readonly fromMs: number;
  /** Unix ms, exclusive. */
  readonly toMs: number;
  /** Start of the page. */
  readonly after: Place | null;
  readonly limit: number;
}

export interface StatementPage {
  /** Cash before the first row, in micros. */
  readonly openingBalance: number;
  /** Oldest first. */
  readonly rows: readonly Movement[];
  readonly hasMore: boolean;
  readonly completeFromMs: number;
}

export interface FillsQuery {
  readonly account: number;
  /** Only fills with a smaller id. */
  readonly before: number;
  readonly limit: number;
}

export interface FillsPage {
  /** Newest first. */
  readonly rows: readonly Movement[];
  readonly hasMore: boolean;
  readonly completeFromMs: number;
}

const COLUMNS = `m.seq, m.n, m.ts, m.kind, m.cash, m.fee, m.balance, m.fill_id AS fillId, m.reference,
  s.series_id AS seriesId, s.symbol, m.side, m.price, m.qty, m.realized, m.taker, m.text`;
const ROWS = `SELECT ${COLUMNS} FROM movement m LEFT JOIN series s ON s.sid = m.sid WHERE m.account = ?`;
const LAST = 'SELECT seq, n, balance FROM movement WHERE account = ?';
const NEWEST_FIRST = 'ORDER BY seq DESC, n DESC';

/** A position, and the cash there. */
interface Balanced extends Place {
  readonly balance: number;
}

const BEFORE_ALL: Place = { seq: -1, n: -1 };

export class HistoryReads {
  readonly #orders: OrderReads;
  readonly #market: MarketReads;
  readonly #hourly: HourlyReads;
  readonly #progress: StatementSync;
  readonly #rows: StatementSync;
  readonly #fills: StatementSync;
  readonly #lastOfAll: StatementSync;
  readonly #lastBefore: StatementSync;
  readonly #lastUpTo: StatementSync;
  readonly #opening: StatementSync;
  readonly #endAt: StatementSync;
  readonly #endAtFill: StatementSync;

  constructor(db: DatabaseSync) {
    this.#orders = new OrderReads(db);
    this.#market = new MarketReads(db);
    this.#hourly = new HourlyReads(db);
    this.#progress = db.prepare('SELECT complete_from FROM progress');
    this.#rows = db.prepare(
      `${ROWS} AND (m.seq, m.n) > (?, ?) AND m.seq <= ? AND m.ts < ? ORDER BY m.seq, m.n LIMIT ?`,
    );
    this.#fills = db.prepare(
      `${ROWS} AND m.seq <= ? AND m.fill_id < ? ORDER BY m.seq DESC, m.n DESC LIMIT ?`,
    );
    this.#lastOfAll = db.prepare(`${LAST} ${NEWEST_FIRST} LIMIT 1`);
    this.#lastBefore = db.prepare(`${LAST} AND seq <= ? AND ts < ? ${NEWEST_FIRST} LIMIT 1`);
    this.#lastUpTo = db.prepare(`${LAST} AND (seq, n) <= (?, ?) ${NEWEST_FIRST} LIMIT 1`);
    this.#opening = db.prepare('SELECT balance FROM opening WHERE account = ?');
    this.#endAt = db.prepare(
      'SELECT last_seq AS seq FROM batch WHERE last_ts >= ? ORDER BY last_ts, last_seq LIMIT 1',
    );
    this.#endAtFill = db.prepare(
      'SELECT last_seq AS seq FROM batch WHERE last_fill >= ? ORDER BY last_fill, last_seq LIMIT 1',
    );
  }

  get completeFromMs(): number {
    return Number(this.#progress.get()!.complete_from);
  }

  /** An account's cash after everything written. */
  balance(account: number): number {
    return (lastOf(this.#lastOfAll.get(account)) ?? this.#openingOf(account)).balance;
  }

  statement({ account, fromMs, toMs, after, limit }: StatementQuery): StatementPage {
    const before = this.#before(account, fromMs, after);
    const end = this.#endOf(this.#endAt, toMs);
    const rows = this.#rows.all(account, before.seq, before.n, end, toMs, limit + 1) as unknown as Movement[];
    return {
      openingBalance: before.balance,
      rows: rows.slice(0, limit),
      hasMore: rows.length > limit,
      completeFromMs: this.completeFromMs,
    };
  }

  fills({ account, before, limit }: FillsQuery): FillsPage {
    const end = this.#endOf(this.#endAtFill, before);
    const rows = this.#fills.all(account, end, before, limit + 1) as unknown as Movement[];
    return {
      rows: rows.slice(0, limit),
      hasMore: rows.length > limit,
      completeFromMs: this.completeFromMs,
    };
  }

  orders(query: OrdersQuery): OrdersPage {
    return { ...this.#orders.page(query), completeFromMs: this.completeFromMs };
  }

  order(query: OrderQuery): StoredOrder | null {
    return this.#orders.order(query);
  }

  prints(query: PrintsQuery): PrintsPage {
    return this.#market.prints(query);
  }

  candles(query: CandlesQuery): CandlesPage {
    return this.#market.candles(query);
  }

  dayTrades(query: DayTradesQuery): DayTradesAnswer {
    return this.#market.dayTrades(query);
  }

  hourly(query: HourlyQuery): HourlyPage {
    return { ...this.#hourly.page(query), completeFromMs: this.completeFromMs };
  }

  /** The last movement before the page. */
  #before(account: number, fromMs: number, after: Place | null): Balanced {
    const end = this.#endOf(this.#endAt, fromMs);
    const byTime = lastOf(this.#lastBefore.get(account, end, fromMs)) ?? this.#openingOf(account);
    if (after === null) return byTime;
    const byPlace = lastOf(this.#lastUpTo.get(account, after.seq, after.n));
    return byPlace !== null && isLater(byPlace, byTime) ? byPlace : byTime;
  }

  #openingOf(account: number): Balanced {
    return { ...BEFORE_ALL, balance: Number(this.#opening.get(account)?.balance ?? 0) };
  }

  /** End of the first batch that reaches a value; no later batch holds a smaller one. */
  #endOf(statement: StatementSync, value: number): number {
    return Number(statement.get(value)?.seq ?? Number.MAX_SAFE_INTEGER);
  }
}

function lastOf(row: unknown): Balanced | null {
  return (row as Balanced | undefined) ?? null;
}

function isLater(a: Place, b: Place): boolean {
  return a.seq > b.seq || (a.seq === b.seq && a.n > b.n);
}
