/** Resting orders and the totals derived from them; the only code that keeps both in step with the book. */

import { add, type Micros, type OrderTerms, subtract, toMicros } from '@venue/protocol';
import { type BookSide, BUY, type Lifted, type OrderHandle, SELL } from '../book/book.ts';
import type { CloseCause, Effects } from '../entry/effects.ts';
import type { Account } from '../state/account.ts';
import { costMicros } from '../state/cost.ts';
import type { SessionHandle, Sid } from '../state/ids.ts';
import type { Position } from '../state/positions.ts';
import { isSetOwner } from '../state/quote-sets.ts';
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
  readonly terms: OrderTerms;
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
  keepTerms(state, order.account, order.id, order.terms);
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
  const id = state.orders.id(h);
  series.book.reduce(h, qtyMicros);
  if (left === 0) closeResting(state, effects, account, { id, cause: 'filled' });
  effects.ordersChanged(account);
}

/** Cancels a resting order. */
export function pullResting(state: State, effects: Effects, h: OrderHandle, cause: CloseCause): void {
  const { account, series, side } = restingOrder(state, h);
  const remaining = state.orders.remaining(h);
  changeResting(positionOf(account, series), series, side, -remaining);
  reserve(account, side, -costMicros(state.orders.price(h), remaining));
  unsign(state, h);
  const id = state.orders.id(h);
  series.book.remove(h);
  closeResting(state, effects, account, { id, cause });
  effects.ordersChanged(account);
}

/** An order that no longer rests, and why. */
interface Gone {
  readonly id: number;
  readonly cause: CloseCause;
}

/** Only traders' orders have terms and listeners; the maker's levels come and go by the thousand. */
function closeResting(state: State, effects: Effects, account: Account, { id, cause }: Gone): void {
  if (account.role !== 'trader') return;
  closeOrder(state, effects, { id, account, cause, terms: dropTerms(state, account, id) });
}

/** An order that is no longer open. */
export interface ClosedOrder extends Gone {
  readonly account: Account;
  readonly terms: OrderTerms;
}

/** Notes that an order is no longer open; its client id is known for a while longer (CID-1). */
export function closeOrder(state: State, effects: Effects, { id, account, cause, terms }: ClosedOrder): void {
  if (terms.clientId !== undefined) state.clientIds.close(account.index, terms.clientId, state.ts);
  effects.orderClosed(account, id, cause);
}

/** Keeps the terms of an order while it rests, and its deadline if it has one (DUE-1). */
export function keepTerms(state: State, account: Account, id: number, terms: OrderTerms): void {
  state.terms.set(account.index, id, terms);
  if (terms.expiresAt !== undefined) state.deadlines.setOrder(id, terms.expiresAt);
}

function dropTerms(state: State, account: Account, id: number): OrderTerms {
  const terms = state.terms.take(account.index, id);
  if (terms.expiresAt !== undefined) state.deadlines.dropOrder(id);
  return terms;
}

/** Lowers an order's total to one that is above what is filled; it keeps its place (AMD-1). */
export function shrinkResting(state: State, effects: Effects, h: OrderHandle, qtyMicros: Micros): void {
  const { account, series, side } = restingOrder(state, h);
  const price = state.orders.price(h);
  const remaining = state.orders.remaining(h);
  const left = qtyMicros - (state.orders.quantity(h) - remaining);
  changeResting(positionOf(account, series), series, side, left - remaining);
  reserve(account, side, costMicros(price, left) - costMicros(price, remaining));
  series.book.shrink(h, { quantity: qtyMicros, remaining: left });
  effects.orderAmended({ id: state.orders.id(h), account, priceMicros: price, qtyMicros });
  effects.ordersChanged(account);
}

/** An order that is out of the book while it is amended. */
export interface LiftedOrder {
  readonly id: number;
  readonly account: Account;
  readonly series: Series;
  readonly side: Side;
  readonly priceMicros: Micros;
  readonly remainingMicros: Micros;
  readonly terms: OrderTerms;
  readonly place: Lifted;
}

/** Takes an order out as a cancel would, but so that it can be put back or rest again under its id (AMD-1). */
export function liftResting(state: State, h: OrderHandle): LiftedOrder {
  const { account, series, side } = restingOrder(state, h);
  const id = state.orders.id(h);
  const priceMicros = state.orders.price(h);
  const remainingMicros = state.orders.remaining(h);
  changeResting(positionOf(account, series), series, side, -remainingMicros);
  reserve(account, side, -costMicros(priceMicros, remainingMicros));
  const terms = dropTerms(state, account, id);
  const place = series.book.lift(h);
  return { id, account, series, side, priceMicros, remainingMicros, terms, place };
}

/** Undoes `liftResting`; nothing may have happened since. */
export function putBackResting(state: State, lifted: LiftedOrder): void {
  const { series, priceMicros, remainingMicros } = lifted;
  series.book.putBack(lifted.place);
  countResting(state, lifted, { priceMicros, remainingMicros });
}

/** New terms of a lifted order. */
export interface Requeued {
  readonly priceMicros: Micros;
  /** The new total, what is filled included. */
  readonly qtyMicros: Micros;
  readonly remainingMicros: Micros;
  readonly signer: SessionRecord | null | undefined;
}

/** Rests a lifted order behind all others at its price, with the session that signed the change. */
export function requeueResting(state: State, lifted: LiftedOrder, requeued: Requeued): void {
  const { series, place } = lifted;
  const { priceMicros, qtyMicros, remainingMicros, signer } = requeued;
  series.book.requeue(place, { price: priceMicros, quantity: qtyMicros, remaining: remainingMicros });
  unsign(state, place.h);
  state.orders.setSigner(place.h, null);
  if (signer) sign(state, place.h, signer);
  countResting(state, lifted, requeued);
}

/** Removes a lifted order for good. */
export function dropLifted(state: State, { series, place }: LiftedOrder): void {
  unsign(state, place.h);
  series.book.drop(place);
}

function countResting(
  state: State,
  { id, account, series, side, terms }: LiftedOrder,
  { priceMicros, remainingMicros }: Pick<Requeued, 'priceMicros' | 'remainingMicros'>,
): void {
  changeResting(positionOf(account, series), series, side, remainingMicros);
  reserve(account, side, costMicros(priceMicros, remainingMicros));
  keepTerms(state, account, id, terms);
}

export function seriesOf(state: State, h: OrderHandle): Series {
  return seriesAt(state, state.orders.book(h) as Sid);
}

/** The index of the account that owns a resting order, or the set of a quote. */
export function ownerIndexOf({ orders, quoteSets }: State, h: OrderHandle): number {
  const owner = orders.owner(h);
  return isSetOwner(owner) ? quoteSets.ofOwner(owner).account : owner;
}

/** The account that owns a resting order, or the set of a quote. */
export function ownerOf(state: State, h: OrderHandle): Account {
  const account = state.accounts[ownerIndexOf(state, h)];
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

/** Lets go of the session that signed a resting order. */
export function unsign(state: State, h: OrderHandle): void {
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
  } else {
    position.restingSellMicros = toMicros(position.restingSellMicros + changeMicros);
  }
  changeSeriesResting(series, side, changeMicros);
}

/** Changes the resting totals of a series on one side. */
export function changeSeriesResting(series: Series, side: Side, changeMicros: number): void {
  if (side === 'buy') series.restingBuyMicros = toMicros(series.restingBuyMicros + changeMicros);
  else series.restingSellMicros = toMicros(series.restingSellMicros + changeMicros);
}

/** Only traders reserve: the maker is limited by its house line instead (HOUSE-1). */
function reserve(account: Account, side: Side, changeMicros: number): void {
  if (account.role !== 'trader' || side !== 'buy') return;
  account.reservedMicros =
    changeMicros < 0
      ? subtract(account.reservedMicros, toMicros(-changeMicros))
      : add(account.reservedMicros, toMicros(changeMicros));
}
