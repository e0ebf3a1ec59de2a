/** Resting orders and the totals derived from them; the only code that keeps both in step with the book. */

import { add, type Micros, subtract, toMicros } from '@venue/protocol';
import { type BookSide, BUY, type OrderHandle, SELL } from '../book/book.ts';
import type { Effects } from '../entry/effects.ts';
import type { Account } from '../state/account.ts';
import { costMicros } from '../state/cost.ts';
import type { SessionHandle, Sid } from '../state/ids.ts';
import type { Position } from '../state/positions.ts';
import type { Series, Side } from '../state/series.ts';
import type { SessionRecord } from '../state/session.ts';
import { positionOf, type State } from '../state/state.ts';

export interface NewRestingOrder {
  readonly id: number;
  readonly account: Account;
  readonly series: Series;
  readonly side: Side;
  readonly priceMicros: Micros;
  /** The original quantity, including any part already filled. */
  readonly qtyMicros: Micros;
  readonly remainingMicros: Micros;
  readonly signer?: SessionRecord | null | undefined;
}

export function bookSide(side: Side): BookSide {
  return side === 'buy' ? BUY : SELL;
}

/** Rests the remainder of an order. */
export function rest(state: State, effects: Effects, order: NewRestingOrder): void {
  const h = order.series.book.place({
    id: order.id,
    owner: order.account.index,
    side: bookSide(order.side),
    price: order.priceMicros,
    quantity: order.qtyMicros,
    remaining: order.remainingMicros,
    placedAt: state.ts,
  });
  if (order.signer) sign(state, h, order.signer);
  changeResting(positionOf(order.account, order.series), order.series, order.side, order.remainingMicros);
  reserve(order.account, order.side, costMicros(order.priceMicros, order.remainingMicros));
  effects.ordersChanged(order.account);
}

/** Fills part of a resting order; a completely filled one leaves every index immediately (ORD-6). */
export function fillResting(state: State, effects: Effects, h: OrderHandle, qtyMicros: Micros): void {
  const { account, series, side } = restingOrder(state, h);
  const price = state.orders.price(h);
  const remaining = state.orders.remaining(h);
  const left = remaining - qtyMicros;
  changeResting(positionOf(account, series), series, side, -qtyMicros);
  reserve(account, side, costMicros(price, left) - costMicros(price, remaining));
  if (left === 0) unsign(state, h);
  series.book.reduce(h, qtyMicros);
  effects.ordersChanged(account);
}

/** Cancels a resting order. */
export function pullResting(state: State, effects: Effects, h: OrderHandle): void {
  const { account, series, side } = restingOrder(state, h);
  const remaining = state.orders.remaining(h);
  changeResting(positionOf(account, series), series, side, -remaining);
  reserve(account, side, -costMicros(state.orders.price(h), remaining));
  unsign(state, h);
  series.book.remove(h);
  effects.ordersChanged(account);
}

/** Cancels an account's resting orders that are in scope, and returns how many. */
export function pullWhere(
  state: State,
  effects: Effects,
  scope: { account: Account; includes: (series: Series) => boolean },
): number {
  let pulled = 0;
  let next: OrderHandle | null;
  for (let h = state.orders.firstOf(scope.account.index); h !== null; h = next) {
    next = state.orders.nextOf(h);
    if (!scope.includes(seriesOf(state, h))) continue;
    pullResting(state, effects, h);
    pulled += 1;
  }
  return pulled;
}

export function seriesOf(state: State, h: OrderHandle): Series {
  return seriesAt(state, state.orders.book(h) as Sid);
}

export function ownerOf(state: State, h: OrderHandle): Account {
  const account = state.accounts[state.orders.owner(h)];
  if (account === undefined) throw new Error(`order ${state.orders.id(h)} has no owner`);
  return account;
}

/** The session that signed a resting order. */
export function signerOf(state: State, h: OrderHandle): SessionHandle | null {
  return state.orders.signer(h) as SessionHandle | null;
}

/** Records the session that signed a resting order. */
export function sign({ orders, sessions }: State, h: OrderHandle, { handle }: SessionRecord): void {
  sessions.hold(handle);
  orders.setSigner(h, handle);
}

function unsign(state: State, h: OrderHandle): void {
  const signer = signerOf(state, h);
  if (signer !== null) state.sessions.release(signer);
}

export function sideOf(state: State, h: OrderHandle): Side {
  return state.orders.side(h) === BUY ? 'buy' : 'sell';
}

function seriesAt(state: State, sid: Sid): Series {
  const series = state.series[sid];
  if (series === undefined) throw new Error(`no series with sid ${sid}`);
  return series;
}

function restingOrder(state: State, h: OrderHandle) {
  return { account: ownerOf(state, h), series: seriesOf(state, h), side: sideOf(state, h) };
}

/** Changes the resting totals of a position and a series on one side. */
export function changeResting(position: Position, series: Series, side: Side, changeMicros: number): void {
  if (side === 'buy') {
    position.restingBuyMicros = toMicros(position.restingBuyMicros + changeMicros);
    series.restingBuyMicros = toMicros(series.restingBuyMicros + changeMicros);
  } else {
    position.restingSellMicros = toMicros(position.restingSellMicros + changeMicros);
    series.restingSellMicros = toMicros(series.restingSellMicros + changeMicros);
  }
}

/** Only traders reserve: the maker is limited by its house line instead (HOUSE-1). */
function reserve(account: Account, side: Side, changeMicros: number): void {
  if (account.role !== 'trader' || side !== 'buy') return;
  account.reservedMicros =
    changeMicros < 0
      ? subtract(account.reservedMicros, toMicros(-changeMicros))
      : add(account.reservedMicros, toMicros(changeMicros));
}
