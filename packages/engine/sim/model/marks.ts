/** Marks in the model: the book's, or Black-76 moved into the impact prices, each time from scratch (RSK-2, DET-8). */

import { priceOption } from '@venue/protocol/black76';
import type { Side } from '../../src/state/series.ts';
import { ceilDiv, floorDiv, least, MILLION, most, positive, sum } from './numbers.ts';
import type { ModelAccount, ModelOrder, ModelSeries } from './records.ts';
import { bookSide, instrumentOf, type ModelState, parametersOf } from './state.ts';
import { Walk } from './walk.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Less than this part of the impact size is passed over. */
const DUST_PARTS = 1_000n;
const ONE_CONTRACT = MILLION;

export function byModel(state: ModelState): boolean {
  return parametersOf(state).riskMark === 'model';
}

/** The mark that positions are valued at. */
export function mark(state: ModelState, series: ModelSeries): bigint {
  const { spot } = instrumentOf(state, series.symbol)!;
  if (series.status === 'settled') return series.payout;
  if (series.status === 'pending-review') return intrinsic(series, spot);
  if (!byModel(state)) return bookMark(state, series);
  const iv = ivOf(state, series);
  if (iv === undefined) {
    state.notes.push('mark without a volatility');
    return intrinsic(series, spot);
  }
  return modelMark(state, series, iv);
}

/** The midpoint of a book, its only side, or zero (NUM-5). */
export function bookMark(state: ModelState, series: ModelSeries): bigint {
  const bid = bookSide(state, series.sid, 'buy')[0]?.price;
  const ask = bookSide(state, series.sid, 'sell')[0]?.price;
  if (bid !== undefined && ask !== undefined) return floorDiv(bid + ask, 2n);
  return bid ?? ask ?? 0n;
}

export function intrinsic(series: ModelSeries, underlying: bigint): bigint {
  return positive(inTheMoney(series, underlying));
}

export function inTheMoney({ right, strike }: ModelSeries, underlying: bigint): bigint {
  return right === 'C' ? underlying - strike : strike - underlying;
}

/** A volatility that a row names counts if it is the market maker's or a mark maker's; one out of range changes nothing. */
export function annotateMark(
  state: ModelState,
  { role, address }: ModelAccount,
  series: ModelSeries,
  iv: number,
): void {
  const { markMakers } = parametersOf(state);
  if (iv <= 0 || iv > 5) return;
  if (role !== 'maker' && (address === null || !markMakers.includes(address))) return;
  series.annotations.push({ iv, ts: state.ts });
}

/** The newest annotation of a live series, unless it is more than a day old. */
export function ivOf(state: ModelState, { status, annotations }: ModelSeries): number | undefined {
  if (status !== 'live') return undefined;
  return annotations.filter(({ ts }) => state.ts - ts <= DAY_MS).at(-1)?.iv;
}

function modelMark(state: ModelState, series: ModelSeries, iv: number): bigint {
  const { spot } = instrumentOf(state, series.symbol)!;
  const payoutMax = series.right === 'C' ? spot : series.strike;
  const model = least(modelPrice(state, series, iv), payoutMax);
  const band = most(floorDiv(spot, 100n), floorDiv(model, 10n));
  const bid = impact(state, series, 'buy') ?? model;
  const ask = impact(state, series, 'sell') ?? most(model, bid);
  const moved = least(most(model, bid), ask);
  const near = most(least(moved, model + band), model - band);
  state.notes.push(
    moved === model ? 'mark of the model' : near === moved ? 'mark of the book' : 'mark at the band',
  );
  return least(most(near, intrinsic(series, spot)), payoutMax);
}

function modelPrice(state: ModelState, { symbol, right, strike, expiryTs }: ModelSeries, iv: number): bigint {
  const { spot } = instrumentOf(state, symbol)!;
  const left = positive(BigInt(expiryTs) * 1000n - BigInt(state.ts));
  const years = Number(ceilDiv(left, BigInt(MINUTE_MS))) / 525_600;
  const price = priceOption({ right, forward: Number(spot), strike: Number(strike), years, vol: iv });
  return BigInt(Math.floor(price));
}

/** The average price of the impact size; undefined for a side that holds less. */
function impact(state: ModelState, series: ModelSeries, side: Side): bigint | undefined {
  const worth = BigInt(parametersOf(state).impactMicros) * MILLION;
  const orders = countedOf(state, bookSide(state, series.sid, side), worth);
  const byValue = contractsWorth(orders, worth);
  if (byValue === undefined || sum(orders.map(({ remaining }) => remaining)) < ONE_CONTRACT) return undefined;
  const contracts = most(byValue, ONE_CONTRACT);
  return floorDiv(valueOfFirst(orders, contracts), contracts);
}

interface Fillable {
  readonly price: bigint;
  readonly remaining: bigint;
}

/** The quantity that each of the orders may trade once those before it have (BAT-6), without dust. */
function countedOf(state: ModelState, orders: readonly ModelOrder[], worth: bigint): Fillable[] {
  const walk = new Walk(state, true);
  return orders.flatMap((order) => {
    const remaining = walk.fillable(order);
    const isDust = remaining * DUST_PARTS < ONE_CONTRACT || order.price * remaining * DUST_PARTS < worth;
    if (isDust) {
      state.notes.push(remaining < order.remaining ? 'quote cut to dust passed over' : 'dust passed over');
      return [];
    }
    walk.take(order, remaining);
    return [{ price: order.price, remaining }];
  });
}

/** The fewest contracts whose prices sum up to a value. */
function contractsWorth(orders: readonly Fillable[], worth: bigint): bigint | undefined {
  let contracts = 0n;
  let left = worth;
  for (const { price, remaining } of orders) {
    if (price * remaining >= left) return contracts + ceilDiv(left, price);
    contracts += remaining;
    left -= price * remaining;
  }
  return left === 0n ? contracts : undefined;
}

function valueOfFirst(orders: readonly Fillable[], contracts: bigint): bigint {
  let left = contracts;
  let value = 0n;
  for (const { price, remaining } of orders) {
    const taken = least(left, remaining);
    value += price * taken;
    left -= taken;
  }
  return value;
}
