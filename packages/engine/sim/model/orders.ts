/** Orders in the model: what is asked is checked, and then trades, rests or goes (ORD-6, TIF-1, STP-1). */

import { BATCH_REJECT, type OrderTerms, type PlaceAction, REJECT, type RejectReason } from '@venue/protocol';
import type { OrderCommand } from '../../src/entry/command.ts';
import { type Asked, check, mayRest } from './checks.ts';
import { type Meeting, rest, type Taker, trade, V1_MARKET, V1_TERMS } from './matching.ts';
import type { ModelAccount, ModelOrder } from './records.ts';
import { close, KNOWN_MS, knownClientIds, pullOrders } from './resting.ts';
import { inMarginCall, shortExposure } from './risk.ts';
import type { ModelState } from './state.ts';
import { seriesOf } from './units.ts';
import { isSpent } from './work.ts';

export interface ModelAccepted {
  readonly status: 'filled' | 'partial' | 'rested' | 'cancelled';
  readonly orderId: number;
  readonly trades: readonly Meeting[];
  readonly rested: bigint;
  /** The quantity that a reduce-only order was cut to. */
  readonly qty?: bigint;
  readonly reason?: RejectReason;
}

export type ModelRejected = { readonly status: 'rejected'; readonly reason: RejectReason };

/** Executes an order of the first version, whose signature, if any, has already been spent. */
export function placeOrder(
  state: ModelState,
  account: ModelAccount,
  command: OrderCommand,
): ModelAccepted | ModelRejected {
  const terms = command.priceMicros === null ? V1_MARKET : V1_TERMS;
  return place(state, account, { ...command, terms }, command.authorization?.sessionKey ?? null);
}

/** An order with a client id that is known places nothing, whatever else is wrong with it (CID-1). */
export function placeOnce(
  state: ModelState,
  account: ModelAccount,
  action: PlaceAction,
  signer: ModelOrder['signer'],
): ModelAccepted | ModelRejected | { readonly status: 'duplicate'; readonly orderId: number } {
  const { type: _, seriesId, side, qtyMicros, priceMicros, ...terms } = action;
  const duplicate = duplicateOf(state, account, terms.clientId);
  const early = duplicate ?? spentOf(state);
  if (early !== undefined) return early;
  return place(state, account, { seriesId, side, qtyMicros, priceMicros, terms }, signer);
}

/** The answer to an order or a combo whose client id is known. */
export function duplicateOf(
  state: ModelState,
  account: ModelAccount,
  clientId: string | undefined,
): { readonly status: 'duplicate'; readonly orderId: number } | undefined {
  const known = knownClientIds(state, account.index).find((one) => one.clientId === clientId);
  if (known === undefined) return undefined;
  state.notes.push(known.closedAt === null ? 'client id of an open order' : 'client id of a closed order');
  if (known.closedAt === state.ts - KNOWN_MS) state.notes.push('client id in its last millisecond');
  return { status: 'duplicate', orderId: known.orderId };
}

/** The result of every order, combo and amend after the one that was too much (BAT-7). */
export function spentOf(state: ModelState): ModelRejected | undefined {
  if (!isSpent(state)) return undefined;
  state.notes.push('action after too much work');
  return { status: 'rejected', reason: BATCH_REJECT.tooMuchWork };
}

type Placing = Pick<OrderCommand, 'seriesId' | 'side' | 'qtyMicros' | 'priceMicros'> & { terms: OrderTerms };

function place(
  state: ModelState,
  account: ModelAccount,
  { seriesId, side, qtyMicros, priceMicros, terms }: Placing,
  signer: ModelOrder['signer'],
): ModelAccepted | ModelRejected {
  const series = state.series.find((listed) => listed.seriesId === seriesId);
  if (series === undefined) return { status: 'rejected', reason: REJECT.unknownSeries };
  const price = priceMicros === null ? null : BigInt(priceMicros);
  const asked = check(state, { account, series, side, qty: BigInt(qtyMicros), price, terms, signer });
  if (typeof asked === 'string') return { status: 'rejected', reason: asked };
  state.lastOrderId += 1;
  const taker = { ...asked, id: state.lastOrderId };
  noteOpened(state, taker);
  const accepted = arrive(state, taker);
  if (taker.qty < BigInt(qtyMicros)) state.notes.push('reduce-only order cut');
  return terms.flag === 'reduce-only' ? { ...accepted, qty: taker.qty } : accepted;
}

function noteOpened(state: ModelState, { id, account, series, side, price, qty, terms }: Taker): void {
  const { clientId } = terms;
  const owner = account.index;
  const before = state.clientIds.findLast((one) => one.owner === owner && one.clientId === clientId);
  if (before !== undefined) state.notes.push('client id used again');
  if (before !== undefined && state.ts <= before.closedAt! + KNOWN_MS)
    state.notes.push('client id forgotten for a thousand newer ones');
  if (clientId !== undefined) state.clientIds.push({ owner, clientId, orderId: id, closedAt: null });
  state.orderEvents.push({ what: 'opened', id, owner, sid: series.sid, side, price, qty, terms });
}

/** Lets an order that passed all checks trade; what is left rests or is cancelled. */
function arrive(state: ModelState, taker: Taker): ModelAccepted {
  const { id, account, terms } = taker;
  const { trades, left, isStopped, hasMetOwn } = trade(state, taker);
  if (hasMetOwn) state.notes.push(`met an own order: ${terms.stp}`);
  const rested = mayRest(taker) && !isStopped ? left : 0n;
  if (left === 0n) close(state, account.index, id, 'filled');
  else if (rested > 0n) rest(state, taker, rested);
  else close(state, account.index, id, isStopped ? 'stp' : 'ioc');
  return {
    status: left === 0n ? 'filled' : trades.length > 0 ? 'partial' : rested > 0n ? 'rested' : 'cancelled',
    ...{ orderId: id, trades, rested },
    ...(isStopped && { reason: BATCH_REJECT.selfTradePrevented }),
  };
}

/** The amounts of an amend; absent ones stay. */
export interface Amending {
  readonly qtyMicros?: number | undefined;
  readonly priceMicros?: number | undefined;
  readonly filledAtMostMicros?: number | undefined;
  readonly signer: ModelOrder['signer'];
}

/** Changes an order that rests (AMD-1). */
export function amend(
  state: ModelState,
  order: ModelOrder,
  amending: Amending,
): ModelAccepted | ModelRejected {
  const { qtyMicros, priceMicros, filledAtMostMicros, signer } = amending;
  const filled = order.qty - order.remaining;
  if (order.terms === V1_TERMS) state.notes.push('amend of an order placed by itself');
  const total = qtyMicros === undefined ? order.qty : BigInt(qtyMicros);
  const price = priceMicros === undefined ? order.price : BigInt(priceMicros);
  if (filledAtMostMicros !== undefined && filled > BigInt(filledAtMostMicros))
    return { status: 'rejected', reason: BATCH_REJECT.filledMoreThanExpected };
  if (total <= filled) {
    pullOrders(state, 'user', (one) => one === order);
    return { status: 'cancelled', orderId: order.id, trades: [], rested: 0n };
  }
  return total <= order.qty && price === order.price
    ? shrink(state, order, total)
    : arriveAnew(state, { ...order, signer }, total, price);
}

/** It keeps its place, even in a margin call. */
function shrink(state: ModelState, order: ModelOrder, total: bigint): ModelAccepted {
  const rested = total - (order.qty - order.remaining);
  state.orders = state.orders.map((one) =>
    one === order ? { ...order, qty: total, remaining: rested } : one,
  );
  if (inMarginCall(state, state.accounts[order.owner]!)) state.notes.push('amend in a margin call');
  if (total < order.qty) noteAmended(state, order, total, order.price);
  return { status: 'rested', orderId: order.id, trades: [], rested };
}

/** Tested as if the old order had just been cancelled; refused, it stays as it was. An amend has a signature of its own. */
function arriveAnew(
  state: ModelState,
  order: ModelOrder,
  total: bigint,
  price: bigint,
): ModelAccepted | ModelRejected {
  const { id, owner, sid, side, terms, signer, ts } = order;
  const filled = order.qty - order.remaining;
  const before = state.orders;
  state.orders = before.filter((one) => one.id !== id);
  const [account, series] = [state.accounts[owner]!, state.series[sid]!];
  const qty = total - filled;
  const asked: Asked = { account, series, side, qty, price, terms, signer, before: { filled, ts } };
  const checked = check(state, asked);
  if (typeof checked === 'string') {
    state.orders = before;
    return { status: 'rejected', reason: checked };
  }
  noteAmended(state, order, total, price);
  if (filled > 0n) state.notes.push('order in part filled arrives as a new order');
  return arrive(state, { ...checked, id });
}

function noteAmended(state: ModelState, { id, owner }: ModelOrder, qty: bigint, price: bigint): void {
  state.orderEvents.push({ what: 'amended', id, owner, qty, price });
}

/** True if a short, a resting sell that would open one, or an ask of a set remains: margin stays on then (ACC-3). */
export function hasShortExposure(state: ModelState, account: ModelAccount): boolean {
  const hasAsks = state.orders.some(
    ({ owner, set, side }) => owner === account.index && set !== null && side === 'sell',
  );
  return hasAsks || seriesOf(state, account).some((series) => shortExposure(state, account, series) > 0n);
}
