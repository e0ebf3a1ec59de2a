/** Matching and booking in the model: who trades with whom at what price, and how cash and positions change. */

import type { Address, OrderTerms } from '@venue/protocol';
import type { Side } from '../../src/state/series.ts';
import { ceilDiv, clamp, floorDiv, least, MILLION, MOST } from './numbers.ts';
import { countFill } from './quoting/sets.ts';
import type { FillKind, ModelAccount, ModelOrder, ModelPosition, ModelSeries, ModelSet } from './records.ts';
import { pullOrders } from './resting.ts';
import { bookSide, FEES, type ModelState, positionIn } from './state.ts';
import { Walk } from './walk.ts';
import { looks } from './work.ts';

/** An incoming order; a null price is a market order. */
export interface Taker {
  readonly id: number;
  readonly account: ModelAccount;
  readonly series: ModelSeries;
  readonly side: Side;
  readonly price: bigint | null;
  readonly qty: bigint;
  readonly signer: Address | null;
  readonly terms: OrderTerms;
  /** A plain trade if absent. */
  readonly kind?: FillKind;
  /** The quantity filled before an amend re-entered the order, and the time when it was placed. */
  readonly before?: { readonly filled: bigint; readonly ts: number };
}

/** Terms of a plain limit order, which may trade with its own account (BAT-5), and of everything that trades by itself. */
export const V1_TERMS: OrderTerms = { tif: 'gtc', stp: 'none' };

/** The same of a market order. */
export const V1_MARKET: OrderTerms = { ...V1_TERMS, tif: 'ioc' };

/** A resting order that would be matched, and its quantity. */
export interface Meeting {
  readonly resting: ModelOrder;
  readonly qty: bigint;
}

/** Orders that an incoming order would meet. */
export interface Encounters {
  /** In priority. */
  readonly met: readonly Meeting[];
  /** Its account's own orders, which it would cancel (STP-1). */
  readonly cancels: readonly ModelOrder[];
  /** True if an order of its own account would cancel what is left of it (STP-1). */
  readonly isStopped: boolean;
  /** Resting orders looked at, those included that have nothing left. */
  readonly visits: number;
  readonly walk: Walk;
}

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/** Walks the book as the matching then will (BAT-6); changes nothing. */
export function encounters(state: ModelState, order: Omit<Taker, 'id' | 'signer'>): Encounters {
  const met: Meeting[] = [];
  const cancels: ModelOrder[] = [];
  const { stp } = order.terms;
  const walk = new Walk(state);
  let left = order.qty;
  let visits = 0;
  for (const resting of bookSide(state, order.series.sid, opposite(order.side))) {
    if (left === 0n || !crosses(order, resting.price)) break;
    visits += looks([resting]);
    if (resting.owner === order.account.index && stp !== 'none') {
      if (stp === 'maker' || stp === 'both') cancels.push(resting);
      if (stp === 'taker' || stp === 'both') return { met, cancels, isStopped: true, visits, walk };
      continue;
    }
    const qty = least(left, walk.fillable(resting));
    if (qty === 0n) continue;
    if (qty < resting.remaining && qty < left) state.notes.push('fill cut by a protection');
    walk.take(resting, qty);
    met.push({ resting, qty });
    left -= qty;
  }
  return { met, cancels, isStopped: false, visits, walk };
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

interface Traded {
  readonly trades: readonly Meeting[];
  readonly left: bigint;
  /** True if an own order keeps the rest off the book. */
  readonly isStopped: boolean;
  readonly hasMetOwn: boolean;
}

/** Trades whatever crosses. */
export function trade(state: ModelState, taker: Taker): Traded {
  const { met, cancels, isStopped } = encounters(state, taker);
  let left = taker.qty;
  for (const { resting, qty } of met) {
    left -= qty;
    resting.remaining -= qty;
    pullOrders(state, 'filled', (order) => order.remaining === 0n);
    bookFill(state, taker, resting, qty);
    countFill(state, resting, qty);
  }
  pullOrders(state, 'stp', (order) => cancels.includes(order));
  noteSets(state, taker, met);
  const hasTraded = met.some(({ resting }) => resting.owner === taker.account.index);
  return { trades: met, left, isStopped, hasMetOwn: hasTraded || cancels.length > 0 || isStopped };
}

function noteSets(state: ModelState, { account }: Taker, met: readonly Meeting[]): void {
  const sets = new Set(met.flatMap(({ resting }) => resting.set ?? []));
  if (sets.size > 1) state.notes.push('several sets in one order');
  if (sets.size > 0 && account.role === 'maker') state.notes.push("maker's quotes meet a set");
}

/** Rests an order on the book, behind all that are there at its price. */
export function rest(state: ModelState, taker: Taker, left: bigint, set: ModelSet | null = null): void {
  state.lastArrival += 1;
  // The account is in use until the series settles, even if the order never trades (CUS-8).
  const { positions } = taker.account;
  if (set === null && !positions.has(taker.series.sid))
    positions.set(taker.series.sid, positionIn(taker.account, taker.series.sid));
  state.orders.push({
    id: taker.id,
    owner: taker.account.index,
    sid: taker.series.sid,
    side: taker.side,
    price: taker.price!,
    qty: (taker.before?.filled ?? 0n) + taker.qty,
    remaining: left,
    ts: taker.before?.ts ?? state.ts,
    signer: taker.signer,
    terms: taker.terms,
    arrival: state.lastArrival,
    set,
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
  const isSelf = owner === taker.account;
  state.tape.push({ sid: series.sid, price: resting.price, qty, side: taker.side, isSelf });
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
