/** Every order of every trader in the file of the history: its terms, the sum of its fills, and why it closed. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CloseCause } from '@venue/engine';
import type { HistoryBatch } from './batch.ts';
import type { Rows } from './layout.ts';
import { contractsPerUnit } from './order-rows.ts';
import { columnOf, LAYOUTS, RECORDED_TERMS, type StoredRow } from './rows.ts';
import { accountsIn, WrongContentError } from './schema.ts';
import type { Standing } from './standing.ts';

/** The columns of an order that may change. Prices times quantities are beyond the exact range of a number. */
interface Progress {
  readonly account: number;
  readonly id: number;
  price: number | null;
  qty: number;
  filled: number;
  /** Sum of price times quantity; null where it is unknown, as fills came before the history. */
  value: bigint | null;
  cause: CloseCause | null;
  closedAt: number | null;
}

type OrderRow = StoredRow<'orders'>;
type Terms = Omit<OrderRow, 'seq' | 'price' | 'qty' | 'filled' | 'value' | 'account' | 'id'>;

/** An order at work. `terms` are those of an order that is not in the file yet. */
interface Working extends Progress {
  readonly terms: Terms | null;
}

const COLUMNS = [
  ...['account', 'id', 'ts', 'sid', 'symbol', 'side', 'price', 'qty'],
  ...['filled', 'value', 'cause', 'closed_at', 'legs'],
  ...RECORDED_TERMS.map(columnOf),
].join(', ');
/** For the columns after `symbol`. */
const PLACES = Array(8 + RECORDED_TERMS.length)
  .fill('?')
  .join(', ');

export class OrderTable {
  readonly #db: DatabaseSync;
  readonly #add: StatementSync;
  readonly #change: StatementSync;
  readonly #find: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#add = db.prepare(
      `INSERT INTO orders (${COLUMNS}) VALUES (?, ?, ?, ?, (SELECT symbol FROM series WHERE sid = ?4), ${PLACES})`,
    );
    this.#change = db.prepare(
      'UPDATE orders SET price = ?, qty = ?, filled = ?, value = ?, cause = ?, closed_at = ? WHERE account = ? AND id = ?',
    );
    this.#find = db.prepare(
      'SELECT price, qty, filled, value, cause, closed_at AS closedAt FROM orders WHERE account = ? AND id = ?',
    );
  }

  /** Writes what a batch did to orders: one statement for each order, however much happened to it. */
  write(batch: HistoryBatch, afterSeq: number): void {
    const working = new Map<number, Working>();
    this.#takeOpened(working, batch.orders, afterSeq);
    this.#takeChanges(working, batch.orderChanges, afterSeq);
    this.#takeFills(working, batch.movements, afterSeq);
    for (const order of working.values()) this.#put(order);
  }

  /** Starts afresh with the orders that rest. */
  clear({ rows }: Standing): void {
    this.#db.exec('DELETE FROM orders');
    for (const order of ordersOf(rows)) this.#put(order);
  }

  /**
   * Puts every order back to how it was after an entry. Call while the fills after it are still among the movements.
   * Throws `WrongContentError` if the file differs from the orders that rested then.
   */
  goOn({ lastId, rows }: Standing, fillsAfter: Iterable<LaterFill>): void {
    const later = new Map<number, Sum>();
    for (const fill of fillsAfter) addFill(later, fill);
    this.#forgetFrom(lastId + 1);
    let standing = 0;
    for (const order of ordersOf(rows)) {
      this.#putBack(order, later.get(order.id));
      standing += 1;
    }
    const { open } = this.#db.prepare(COUNT_OPEN).get() as { open: number };
    if (open !== standing) throw new WrongContentError(differing(`${open - standing} open orders`));
  }

  #takeOpened(working: Map<number, Working>, orders: Rows, afterSeq: number): void {
    for (const row of LAYOUTS.orders.read(orders))
      if (row.seq > afterSeq) working.set(row.id, workingOf(row));
  }

  #takeChanges(working: Map<number, Working>, changes: Rows, afterSeq: number): void {
    for (const { seq, account, id, price, qty, cause, closedAt } of LAYOUTS.orderChanges.read(changes)) {
      const order = seq > afterSeq ? this.#orderOf(working, account, id) : null;
      if (order === null) continue;
      if (cause === null) {
        order.price = price;
        order.qty = qty!;
      } else {
        order.cause = cause;
        order.closedAt = closedAt;
      }
    }
  }

  /** A fill of an order that nobody opened, as of a liquidation or of a quote, is no order's. */
  #takeFills(working: Map<number, Working>, movements: Rows, afterSeq: number): void {
    for (const row of LAYOUTS.movements.read(movements)) {
      if (row.kind !== 'trade' || row.seq <= afterSeq) continue;
      const order = this.#orderOf(working, row.account, row.reference!);
      if (order === null) continue;
      const qty = row.qty!;
      order.filled += qty;
      const value = BigInt(row.price!) * BigInt(qty);
      const isReceived = (order.terms?.legs ?? null) !== null && row.side === 'sell';
      if (order.value !== null) order.value += isReceived ? -value : value;
    }
  }

  #orderOf(working: Map<number, Working>, account: number, id: number): Working | null {
    const known = working.get(id);
    if (known !== undefined) return known;
    const found = this.#progressOf(account, id);
    if (found === null) return null;
    const order = { ...found, terms: null };
    working.set(id, order);
    return order;
  }

  #progressOf(account: number, id: number): Progress | null {
    const found = this.#find.get(account, id) as
      | (Omit<Progress, 'value'> & { value: string | null })
      | undefined;
    if (found === undefined) return null;
    return { ...found, account, id, value: found.value === null ? null : BigInt(found.value) };
  }

  #put(order: Working): void {
    const { account, id, terms, price, qty, filled, cause, closedAt } = order;
    const value = order.value === null ? null : String(order.value);
    if (terms === null) {
      this.#change.run(price, qty, filled, value, cause, closedAt, account, id);
      return;
    }
    const { ts, sid, side, legs } = terms;
    // All fills of a combo come with its opening, so that what is filled of it need never be read back.
    const units = legs === null ? filled : filled / contractsPerUnit(legs);
    this.#add.run(
      ...[account, id, ts, sid, side, price, qty, units, value, cause, closedAt, legs],
      ...RECORDED_TERMS.map((name) => terms[name]),
    );
  }

  #putBack(resting: Working, later: Sum | undefined): void {
    const { account, id } = resting;
    const found = this.#progressOf(account, id);
    const filled = (found?.filled ?? 0) - (later?.qty ?? 0);
    if (found === null || filled !== resting.filled) throw new WrongContentError(differing(`order ${id}`));
    const isUnchanged = found.cause === null && found.price === resting.price && found.qty === resting.qty;
    if (isUnchanged && later === undefined) return;
    const value = found.value === null ? null : found.value - (later?.value ?? 0n);
    this.#put({ ...resting, filled, value, terms: null });
  }

  #forgetFrom(id: number): void {
    const forget = this.#db.prepare('DELETE FROM orders WHERE account = ? AND id >= ?');
    for (const account of accountsIn(this.#db, 'orders')) forget.run(account, id);
  }
}

/** A fill that came after the entry from which a start replays. */
export interface LaterFill {
  readonly orderId: number;
  readonly price: number;
  readonly qty: number;
}

interface Sum {
  qty: number;
  value: bigint;
}

const COUNT_OPEN = 'SELECT count(*) AS open FROM orders INDEXED BY orders_open WHERE cause IS NULL';

function addFill(sums: Map<number, Sum>, { orderId, price, qty }: LaterFill): void {
  const sum = sums.get(orderId) ?? { qty: 0, value: 0n };
  sums.set(orderId, sum);
  sum.qty += qty;
  sum.value += BigInt(price) * BigInt(qty);
}

function differing(what: string): string {
  return `differs from the log (by ${what})`;
}

function* ordersOf(rows: Rows): Generator<Working> {
  for (const row of LAYOUTS.orders.read(rows)) yield workingOf(row);
}

function workingOf(row: OrderRow): Working {
  const { account, id, ts, sid, side, price, qty, filled, value } = row;
  const { tif, expiresAt, flag, clientId, legs } = row;
  const known = value === null ? null : BigInt(value);
  return {
    account,
    id,
    price,
    qty,
    filled: filled ?? 0,
    value: filled === null ? 0n : known,
    cause: null,
    closedAt: null,
    terms: { ts, clientId, sid, side, tif, expiresAt, flag, legs },
  };
}
