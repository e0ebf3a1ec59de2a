/**
 * Follows every order of a trader from its opening to its close, and throws where one does what no order may: it is
 * opened and closed once, fills and changes only in between, and keeps what its terms promise (CID-2, TIF-2, STP-1).
 */

import assert from 'node:assert/strict';
import type { OrderTerms } from '@venue/protocol';
import type { AmendedOrder, OpenedOrder } from '../src/entry/effects.ts';
import type { Account } from '../src/state/account.ts';
import type { FillRecord } from '../src/state/records.ts';
import type { Description } from './description.ts';

export class OrderLife {
  readonly #open = new Map<number, OrderTerms>();
  /** Quotes that stand after the last entry: only those can trade in the next. */
  #quotes: ReadonlySet<number> = new Set();
  #lastId = 0;
  /** The taker's side of the trade whose other side comes next. */
  #taker: { readonly account: Account; readonly fill: FillRecord } | null = null;

  opened({ id, terms }: Pick<OpenedOrder, 'id' | 'terms'>): void {
    assert.ok(id > this.#lastId, `order ${id} is opened once, after all before it`);
    this.#lastId = id;
    this.#open.set(id, terms);
  }

  amended({ id }: AmendedOrder): void {
    assert.ok(this.#open.has(id), `order ${id} is amended while it is open`);
  }

  closed(id: number): void {
    assert.ok(this.#open.delete(id), `order ${id} is closed once, after its opening`);
  }

  filled(account: Account, fill: FillRecord): void {
    if (fill.kind === 'settlement') return;
    const taken = this.#taker;
    this.#taker = fill.taker ? { account, fill } : null;
    // Quotes are no orders, and neither is a liquidation.
    if (account.role === 'trader' && fill.kind === 'trade' && !this.#quotes.has(fill.orderId))
      assert.ok(this.#open.has(fill.orderId), `order ${fill.orderId} trades while it is open`);
    const { flag } = this.#open.get(fill.orderId) ?? {};
    assert.ok(flag !== 'post-only' || !fill.taker, `order ${fill.orderId} is post-only and takes`);
    if (taken?.account !== account || fill.taker) return;
    const stp = this.#open.get(taken.fill.orderId)?.stp ?? 'none';
    assert.equal(stp, 'none', `order ${taken.fill.orderId} does not trade with its own account`);
  }

  /** Asserts that the open orders are those that rest. */
  assertResting({ accounts, series }: Description): void {
    const resting = series.flatMap(({ bids, asks }) => [...bids, ...asks]);
    const own = resting.filter(({ owner, set }) => accounts[owner]!.address !== null && set === null);
    this.#quotes = new Set(resting.filter(({ set }) => set !== null).map(({ id }) => id));
    assert.deepEqual(own.map(({ id }) => id).sort(), [...this.#open.keys()].sort(), 'open orders');
  }
}
