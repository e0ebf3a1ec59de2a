/**
 * Places, amends, cancels and looks up orders, and switches margin: signed once a session key is approved, by token
 * before.
 */

import type {
  Account,
  ActionWire,
  CancelAnswer,
  CancelOrderAnswer,
  CancelResult,
  ComboPreviewAnswer,
  MarginAnswer,
  OrderList,
  OrderPreviewAnswer,
  OrderRecord,
} from '@venue/protocol';
import { GUARD_MS_MAX, GUARD_MS_MIN } from '@venue/protocol';
import { listedOnce, withNearest } from '../market/nearest.ts';
import { checkInteger } from '../net/checks.ts';
import type { CallOptions } from '../net/transport.ts';
import { signCancel, signCancelOrder, signMargin } from '../sign/signed-bodies.ts';
import {
  type Action,
  type ActionResult,
  type AmendTerms,
  type CancelAllResult,
  type CancelScope,
  type ComboResult,
  type ComboTerms,
  type OrderRef,
  type PlaceResult,
  type PlaceTerms,
  prepare,
  type ResultsOf,
} from './actions.ts';
import {
  type BatchAnswer,
  Batches,
  type BatchOptions,
  type BatchParts,
  type WriteOptions,
} from './batches.ts';
import { Guard, type GuardOptions } from './guard.ts';
import { Lookup } from './lookup.ts';
import type { TraceOf } from './outcome.ts';
import { traceOf, traceOfMargin } from './traces.ts';
import type { Writes } from './writes.ts';

/** The result of one action, and the account afterwards. */
export type Answered<R> = R & {
  readonly account: Account;
  /** True if the answer was lost, so that the result was looked up: a reason is then not known. */
  readonly isRecovered: boolean;
};

/** Selects orders, newest first: the open ones, or others, from one page to the next. */
export interface OrderQuery {
  readonly status?: 'open' | 'closed';
  readonly symbol?: string;
  /** Id of the order before which the page starts, exclusive. */
  readonly before?: number;
  /** Most orders to return, 1 to 500. */
  readonly limit?: number;
}

export class Orders {
  readonly #parts: BatchParts;
  readonly #writes: Writes;
  readonly #batches: Batches;

  constructor(parts: BatchParts, writes: Writes) {
    this.#parts = parts;
    this.#writes = writes;
    this.#batches = new Batches(parts);
  }

  /**
   * Carries out up to 64 actions in order, under one signature (BAT-2). A declined action is a value in its result and
   * stops no other. Throws before anything is signed: `TypeError` for an amount that is neither a number nor a text,
   * `RangeError` for whatever else the venue would call malformed. After a lost answer it is sent again, which is safe:
   * it never counts twice. If none comes for `retryMs`, throws `OutcomeUnknownError`, which names the client ids.
   *
   * @example
   * const { results } = await venue.orders.batch([
   *   { type: 'cancel-all', symbols: ['BTC'] },
   *   { type: 'place', seriesId, side: 'buy', qty: '0.5', price: '0.25', postOnly: true },
   * ]);
   * console.log(results[0].pulled, results[1].status);
   */
  async batch<const T extends readonly Action[]>(
    actions: T,
    options: BatchOptions = {},
  ): Promise<BatchAnswer<T>> {
    const answer = await this.#batches.send(actions, options);
    const listed = listedOnce(this.#parts.transport);
    const results: ActionResult[] = [];
    for (const [at, result] of (answer.results as ActionResult[]).entries())
      results.push(await withNearest(result, seriesOf(actions[at]!), listed));
    return { ...answer, results: results as ResultsOf<T> };
  }

  /**
   * Places an order: `qty` in contracts, `price` in US dollars per contract, none for a market order. A declined
   * order is a value: `status` is `rejected` and `reason` says why (ORD-1); where its series is not listed, `nearest` names
   * those of the nearest strikes. Before anything is signed, throws
   * `TypeError` for an amount that is neither a number nor a text, and `RangeError` for one that is not positive or not
   * exact in micros (NUM-2). After a lost answer it is sent again, as a batch is.
   *
   * @example
   * const order = await venue.orders.place({ seriesId, side: 'buy', qty: 1.5, price: 0.25, postOnly: true });
   * if (order.status === 'rejected') console.error(order.reason);
   */
  async place(terms: PlaceTerms, options: WriteOptions = {}): Promise<Answered<PlaceResult>> {
    const { results, account, isRecovered } = await this.batch([{ ...terms, type: 'place' }], options);
    return { ...results[0], account: account!, isRecovered };
  }

  /**
   * Trades two to four series of one underlying at one net price: all legs in one entry, or none (CMB-1). As much trades
   * as still costs at most `net` a unit at the margin, of `fok` all of it or nothing. A declined combo is a value, as a
   * declined order is. Throws as `place` does, and `RangeError` that names the fault of the legs before anything is signed.
   *
   * @example
   * const combo = await venue.orders.combo({
   *   legs: [
   *     { seriesId, side: 'buy', ratio: 1 },
   *     { seriesId: otherSeriesId, side: 'sell', ratio: 1 },
   *   ],
   *   qty: '0.1',
   *   net: 50,
   * });
   * console.log(combo.status, combo.fills.map(({ side, price }) => [side, price]));
   */
  async combo(terms: ComboTerms, options: WriteOptions = {}): Promise<Answered<ComboResult>> {
    const { results, account, isRecovered } = await this.batch([{ ...terms, type: 'combo' }], options);
    return { ...results[0], account: account!, isRecovered };
  }

  /**
   * Changes quantity or price of a resting order, which keeps its id. `qty` is the new total, what is filled included.
   * A refused amend is `rejected`, and leaves the order as it was (AMD-1). Throws as `place` does.
   *
   * @example
   * const { orderId } = await venue.orders.place({ seriesId, side: 'buy', qty: 1, price: 0.25 });
   * console.log((await venue.orders.amend({ orderId, price: 0.5, filledAtMost: 0 })).status);
   */
  async amend(terms: AmendTerms, options: WriteOptions = {}): Promise<Answered<PlaceResult>> {
    const { results, account, isRecovered } = await this.batch([{ ...terms, type: 'amend' }], options);
    return { ...results[0], account: account!, isRecovered };
  }

  /**
   * Cancels resting orders, of any symbol and side or of those given. An empty list is refused, because it must not
   * widen to all. Throws as `place` does.
   *
   * @example (await venue.orders.cancelAll({ symbols: ['BTC'], side: 'buy' })).pulled
   */
  async cancelAll(scope: CancelScope = {}, options: WriteOptions = {}): Promise<Answered<CancelAllResult>> {
    const { results, account, isRecovered } = await this.batch([{ ...scope, type: 'cancel-all' }], options);
    return { ...results[0], account: account!, isRecovered };
  }

  /**
   * Sets a guard and renews it until it is stopped: once this process, or the line to the venue, is dead for `ms`, the
   * venue takes all orders of the account off the books (GRD-1). `ms` is 5,000 to 600,000. Throws as `place` does if it
   * cannot be set.
   *
   * @example
   * const guard = await venue.orders.guard(30_000, { onFailure: ({ error }) => console.error(error.message) });
   * await guard.remove();
   */
  async guard(ms: number, options: GuardOptions = {}): Promise<Guard> {
    if (!(checkInteger('ms', ms) >= GUARD_MS_MIN && ms <= GUARD_MS_MAX))
      throw new RangeError(
        `ms ${ms} is not from ${GUARD_MS_MIN} to ${GUARD_MS_MAX}: a guard is in milliseconds`,
      );
    const guard = new Guard(ms, {
      ...options,
      send: (guardMs, bounds) => this.#setGuard(guardMs, bounds),
      takenSince: (sinceMs) => this.#takenByGuard(sinceMs),
      now: this.#parts.credentials.now,
      handlers: this.#parts.transport.handlers,
    });
    await guard.set();
    return guard;
  }

  /**
   * A page of the account's orders with what became of each, newest first. `before` is there while older ones may
   * follow, for the next page. Needs a token.
   *
   * @example
   * const { orders, before } = await venue.orders.list({ status: 'closed', limit: 10 });
   * console.log(orders.map(({ id, cause }) => [id, cause]), before);
   */
  list(query: OrderQuery = {}, options: CallOptions = {}): Promise<OrderList> {
    const request = { query: { ...query }, headers: this.#parts.credentials.headers() };
    return this.#parts.transport.with(options).get('/v1/orders', request);
  }

  /**
   * One order of the account, open or closed, by the venue's id or by the client's; of several with the same client
   * id the newest. Throws `NotFoundError` if there is none. Needs a token.
   *
   * @example
   * const { orderId } = await venue.orders.place({ seriesId, side: 'buy', qty: 1, price: 0.25 });
   * console.log((await venue.orders.find({ orderId })).status);
   */
  find(ref: OrderRef, options: CallOptions = {}): Promise<OrderRecord> {
    const { transport, credentials } = this.#parts;
    const { orderId, clientId } = ref;
    const path =
      clientId === undefined
        ? `/v1/orders/${checkInteger('orderId', orderId!)}`
        : `/v1/orders/client/${encodeURIComponent(clientId)}`;
    return transport.with(options).get(path, { headers: credentials.headers() });
  }

  /**
   * Shows what an order would fill, cost and lock; nothing is placed or signed, and a declined one has its `reason`.
   * Needs a token. Throws as `place` does for invalid terms, and `VenueError`.
   *
   * @example (await venue.orders.preview({ seriesId, side: 'buy', qty: 1 })).cost
   */
  async preview(terms: PlaceTerms, options: CallOptions = {}): Promise<OrderPreviewAnswer> {
    const { transport, credentials } = this.#parts;
    const request = { headers: credentials.headers() };
    const { wire } = prepare([{ ...terms, type: 'place' }]);
    const preview = await transport
      .with(options)
      .post<OrderPreviewAnswer>('/v1/order/preview', wire[0]!, request);
    return withNearest(preview, terms.seriesId, listedOnce(transport));
  }

  /**
   * The same of a combo: `cost` is what is paid less what is received. Needs a token. Throws as `combo` does for invalid
   * terms, and `VenueError`.
   *
   * @example
   * const { cost } = await venue.orders.previewCombo({
   *   legs: [
   *     { seriesId, side: 'buy', ratio: 1 },
   *     { seriesId: otherSeriesId, side: 'sell', ratio: 2 },
   *   ],
   *   qty: 1,
   * });
   * console.log(cost);
   */
  async previewCombo(terms: ComboTerms, options: CallOptions = {}): Promise<ComboPreviewAnswer> {
    const { transport, credentials } = this.#parts;
    const { wire } = prepare([{ ...terms, type: 'combo' }]);
    return transport.with(options).post('/v1/order/preview', wire[0]!, { headers: credentials.headers() });
  }

  /**
   * Turns margin on, which short sales need, or off. Throws `RefusedError` if short exposure prevents turning it off
   * (ACC-3), and as `place` does if no answer comes.
   *
   * @example (await venue.orders.setMargin(true)).marginEnabled // true
   */
  async setMargin(enabled: boolean): Promise<MarginAnswer> {
    if (typeof enabled !== 'boolean') throw new TypeError('enabled must be true or false');
    const trace: TraceOf = (lookup) => traceOfMargin({ enabled }, lookup);
    return this.#writes.post({ enabled }, { path: '/v1/margin', sign: signMargin, trace });
  }

  /**
   * Cancels one order, by the venue's id or by the client's: `ok` is false for one that does not rest. Throws as
   * `place` does. With a list of symbols, or with nothing, it cancels all of them as the contract's cancel does, once:
   * without an answer, throws `OutcomeUnknownError`, which reports what became of it. An empty list is refused, because
   * it must not widen to all (ORD-9). Throws `TypeError` for anything but a list or an order.
   *
   * @example
   * const { orderId } = await venue.orders.place({ seriesId, side: 'buy', qty: 1, price: 0.25 });
   * console.log((await venue.orders.cancel({ orderId })).ok);
   */
  async cancel(order: OrderRef, options?: WriteOptions): Promise<Answered<CancelResult>>;
  async cancel(symbols?: readonly string[]): Promise<CancelAnswer>;
  async cancel(
    what?: OrderRef | readonly string[],
    options: WriteOptions = {},
  ): Promise<Answered<CancelResult> | CancelAnswer> {
    if (isOrderRef(what)) {
      const { results, account, isRecovered } = await this.batch([{ ...what, type: 'cancel' }], options);
      return { ...results[0], account: account!, isRecovered };
    }
    if (what !== undefined && !Array.isArray(what)) throw new TypeError('symbols must be a list');
    const scope = what === undefined ? {} : { symbols: [...what] };
    const trace = traceOfAction({ ...scope, type: 'cancel-all' });
    return this.#writes.post(scope, { path: '/v1/cancel', sign: signCancel, trace });
  }

  /**
   * Cancels one resting order; `ok` is false for one that has left the book, or belongs to another account (ORD-12).
   *
   * @example (await venue.orders.cancelOrder(1)).ok // false
   */
  async cancelOrder(orderId: number): Promise<CancelOrderAnswer> {
    const terms = { orderId: checkInteger('orderId', orderId) };
    const trace = traceOfAction({ ...terms, type: 'cancel' });
    return this.#writes.post(terms, { path: '/v1/order/cancel', sign: signCancelOrder, trace });
  }

  /** The orders that a guard took from this time of the client's clock on, newest first. */
  async #takenByGuard(sinceMs: number): Promise<OrderRecord[]> {
    const lookup = new Lookup(this.#parts, null);
    const closedSinceMs = await lookup.venueTimeOf(sinceMs);
    const taken: OrderRecord[] = [];
    let before: number | undefined;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const from = before === undefined ? '' : `&before=${before}`;
      const answer = await lookup.read<OrderList>(`/v1/orders?status=closed&limit=${PAGE}${from}`);
      taken.push(
        ...answer.orders.filter(({ cause, closedAt }) => cause === 'guard' && closedAt! >= closedSinceMs),
      );
      before = answer.before;
      if (before === undefined) break;
    }
    return taken;
  }

  async #setGuard(ms: number, bounds: WriteOptions): Promise<void> {
    await this.batch([{ type: 'guard', ms }], { ...bounds, account: false });
  }
}

function seriesOf(action: Action): string | undefined {
  return action.type === 'place' ? action.seriesId : undefined;
}

/** Orders of one page, and the most pages that are read for those that a guard took. */
const PAGE = 500;
const PAGES_MAX = 20;

/** A write is found as the action of a batch is that does the same. */
function traceOfAction(action: ActionWire): TraceOf {
  return (lookup, sentAtMs) => traceOf(action, lookup, sentAtMs);
}

function isOrderRef(what: OrderRef | readonly string[] | undefined): what is OrderRef {
  return typeof what === 'object' && what !== null && !Array.isArray(what);
}
