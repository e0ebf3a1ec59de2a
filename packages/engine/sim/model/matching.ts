/** Matching and booking in the model: who trades with whom at what price, and how cash and positions change. */

import type { Address } from '@venue/protocol';
import type { Side } from '../../src/state/series.ts';
import { ceilDiv, clamp, floorDiv, least, MILLION, MOST } from './numbers.ts';
import {
  bookSide,
  FEES,
  type FillKind,
  type ModelAccount,
  type ModelOrder,
  type ModelPosition,
  type ModelSeries,
  type ModelState,
} from './state.ts';

/** An incoming order; a null price is a market order. */
export interface Taker {
  readonly id: number;
  readonly account: ModelAccount;
  readonly series: ModelSeries;
  readonly side: Side;
  readonly price: bigint | null;
  readonly qty: bigint;
  readonly signer: Address | null;
  /** A plain trade if absent. */
  readonly kind?: FillKind;
}

/** A resting order that would be matched, and its quantity. */
export interface Meeting {
  readonly resting: ModelOrder;
  readonly qty: bigint;
}

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/** The resting orders an order would match, in priority; changes nothing. */
export function meetings(state: ModelState, order: Omit<Taker, 'id' | 'signer' | 'account'>): Meeting[] {
  const met: Meeting[] = [];
  let left = order.qty;
  for (const resting of bookSide(state, order.series.sid, opposite(order.side))) {
    if (left === 0n || !crosses(order, resting.price)) break;
    const qty = least(left, resting.remaining);
    met.push({ resting, qty });
    left -= qty;
  }
  return met;
}

function crosses(order: { side: Side; price: bigint | null }, price: bigint): boolean {
  if (order.price === null) return true;
  return order.side === 'buy' ? price <= order.price : price >= order.price;
}

/** The cash both sides of a fill exchange: rounded against the taker (NUM-3). */
export function fillValue(takerSide: Side, price: bigint, qty: bigint): bigint {
  return takerSide === 'buy' ? ceilDiv(price * qty, MILLION) : floorDiv(price * qty, MILLION);
}

/** Fifty basis points of the premium, rounded up (NUM-3, NUM-4). */
export function feeOf(value: bigint): bigint {
  return ceilDiv(value * 50n, 10_000n);
}

/** Trades whatever crosses. Returns the fills and the rest, which a limit order leaves on the book. */
export function trade(state: ModelState, taker: Taker): { trades: Meeting[]; left: bigint } {
  const trades = meetings(state, taker);
  let left = taker.qty;
  for (const { resting, qty } of trades) {
    left -= qty;
    resting.remaining -= qty;
    state.orders = state.orders.filter((order) => order.remaining > 0n);
    bookFill(state, taker, resting, qty);
  }
  return { trades, left };
}

/** Rests an order on the book. */
export function rest(state: ModelState, taker: Taker, left: bigint): void {
  state.orders.push({
    id: taker.id,
    owner: taker.account.index,
    sid: taker.series.sid,
    side: taker.side,
    price: taker.price!,
    qty: taker.qty,
    remaining: left,
    ts: state.ts,
    signer: taker.signer,
  });
}

function bookFill(state: ModelState, taker: Taker, resting: ModelOrder, qty: bigint): void {
  const value = fillValue(taker.side, resting.price, qty);
  const fee = feeOf(value);
  const { series } = taker;
  const fill = { series, price: resting.price, qty, value };
  bookLeg(state, { kind: 'trade', ...taker, ...fill, fee, taker: true });
  const owner = state.accounts[resting.owner]!;
  bookLeg(state, { ...resting, ...fill, account: owner, fee: 0n, taker: false, kind: 'trade' });
  state.accounts[FEES]!.cash += fee;
  series.volume = least(series.volume + qty, MOST);
  state.tape.push({ sid: series.sid, price: resting.price, qty, side: taker.side });
}

interface Leg {
  readonly id: number;
  readonly account: ModelAccount;
  readonly series: ModelSeries;
  readonly side: Side;
  readonly price: bigint;
  readonly qty: bigint;
  readonly value: bigint;
  readonly fee: bigint;
  readonly taker: boolean;
  readonly kind: FillKind;
  readonly signer: Address | null;
}

/** Books one side of a trade: cash, position, and the row in the account's fills. */
export function bookLeg(state: ModelState, leg: Leg): void {
  const { account, series, side, price, qty, value, fee, taker, kind, signer } = leg;
  const sid = series.sid;
  const position = account.positions.get(sid) ?? { qty: 0n, cost: 0n, realized: 0n };
  account.positions.set(sid, position);
  account.cash += (side === 'buy' ? -value : value) - fee;
  const realized = moveAtAverageCost(position, side === 'buy' ? qty : -qty, value);
  account.realized = clamp(account.realized + realized);
  state.lastFillId += 1;
  const id = state.lastFillId;
  account.fills.push({
    id,
    orderId: leg.id,
    sid,
    side,
    price,
    qty,
    fee,
    realized,
    taker,
    ts: state.ts,
    kind,
    signer,
  });
}

/** Changes a position by a signed quantity worth `value`; returns the realized profit (NUM-7). */
function moveAtAverageCost(position: ModelPosition, change: bigint, value: bigint): bigint {
  const size = (qty: bigint) => (qty < 0n ? -qty : qty);
  const opposed = position.qty !== 0n && position.qty > 0n !== change > 0n;
  const closed = opposed ? least(size(change), size(position.qty)) : 0n;
  const closedValue = floorDiv(value * closed, size(change));
  const released = closed === 0n ? 0n : floorDiv(position.cost * closed, size(position.qty));
  const realized = position.qty > 0n ? closedValue - released : released - closedValue;
  position.qty += change;
  position.cost = clamp(position.cost + value - closedValue - released);
  if (closed === 0n) return 0n;
  position.realized = clamp(position.realized + realized);
  return realized;
}
