/** Reads of orders from the history (CID-2). */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CloseCause } from '@venue/engine';
import { columnOf, RECORDED_TERMS, type RecordedTerms } from './rows.ts';

/** An order as stored: micros and Unix ms. */
export interface StoredOrder extends RecordedTerms {
  readonly id: number;
  readonly seriesId: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** The legs of a combo, as `legsText` writes them: its series and side are the first leg's, its price is the net. */
  readonly legs: string | null;
  /** Null for a market order. */
  readonly price: number | null;
  /** The total, what is filled included. */
  readonly qty: number;
  readonly filled: number;
  /** Sum of price times quantity over its fills, those of sold legs of a combo subtracted, in digits; null where fills came before the history. */
  readonly value: string | null;
  /** Null while it is open. */
  readonly cause: CloseCause | null;
  readonly ts: number;
  readonly closedAt: number | null;
}

export interface OrdersQuery {
  readonly account: number;
  /** Null for both. */
  readonly status: 'open' | 'closed' | null;
  /** Null for all. */
  readonly symbol: string | null;
  /** Only orders with a smaller id. */
  readonly before: number;
  readonly limit: number;
}

export interface OrdersPage {
  /** Newest first. */
  readonly orders: readonly StoredOrder[];
  readonly hasMore: boolean;
  readonly completeFromMs: number;
}

/** One order of an account, by the venue's id or by its client's: the newest with it. */
export type OrderQuery = { readonly account: number } & (
  | { readonly id: number }
  | { readonly clientId: string }
);

const TERMS = RECORDED_TERMS.map((name) => `o.${columnOf(name)} AS ${name}`).join(', ');
const SELECT = `SELECT o.id, s.series_id AS seriesId, o.symbol, o.side, o.legs, o.price, o.qty,
  o.filled, o.value, o.cause, o.ts, o.closed_at AS closedAt, ${TERMS}
  FROM orders o`;
const SERIES = 'JOIN series s ON s.sid = o.sid';
/** Named so that no symbol that is rare, or order that is old, makes a page walk over an account's other orders. */
const OPEN = 'INDEXED BY orders_open';
const OF_SYMBOL = 'INDEXED BY orders_by_symbol';
const PAGE = 'o.account = ? AND o.id < ?';
const NEWEST = 'ORDER BY o.id DESC LIMIT ?';

export class OrderReads {
  readonly #lists: Readonly<Record<'all' | 'open' | 'closed', Lists>>;
  readonly #byId: StatementSync;
  readonly #byClientId: StatementSync;

  constructor(db: DatabaseSync) {
    const list = (index: string, condition: string) =>
      db.prepare(`${SELECT} ${index} ${SERIES} WHERE ${PAGE}${condition} ${NEWEST}`);
    const lists = (condition: string, index = '') => ({
      ofAll: list(index, condition),
      ofSymbol: list(index || OF_SYMBOL, `${condition} AND o.symbol = ?`),
    });
    this.#lists = {
      all: lists(''),
      open: lists(' AND o.cause IS NULL', OPEN),
      closed: lists(' AND o.cause IS NOT NULL'),
    };
    this.#byId = db.prepare(`${SELECT} ${SERIES} WHERE o.account = ? AND o.id = ?`);
    this.#byClientId = db.prepare(
      `${SELECT} ${SERIES} WHERE o.account = ? AND o.client_id = ? ORDER BY o.id DESC LIMIT 1`,
    );
  }

  page({ account, status, symbol, before, limit }: OrdersQuery): Omit<OrdersPage, 'completeFromMs'> {
    const { ofAll, ofSymbol } = this.#lists[status ?? 'all'];
    const found =
      symbol === null
        ? ofAll.all(account, before, limit + 1)
        : ofSymbol.all(account, before, symbol, limit + 1);
    return { orders: found.slice(0, limit) as unknown as StoredOrder[], hasMore: found.length > limit };
  }

  order(query: OrderQuery): StoredOrder | null {
    const { account } = query;
    const found =
      'id' in query ? this.#byId.get(account, query.id) : this.#byClientId.get(account, query.clientId);
    return (found as StoredOrder | undefined) ?? null;
  }
}

interface Lists {
  readonly ofAll: StatementSync;
  readonly ofSymbol: StatementSync;
}
