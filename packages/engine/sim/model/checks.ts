/** The model's checks of an order in their documented order (ORD-1, BAT-4, DET-3). */

import {
  BATCH_REJECT,
  insufficientBuyingPower,
  insufficientMargin,
  type Micros,
  REJECT,
  type RejectReason,
} from '@venue/protocol';
import { riseOf } from './defined-risk.ts';
import { encounters, feeOf, fillValue, opposite, type Taker, V1_MARKET, V1_TERMS } from './matching.ts';
import { ceilDiv, clamp, floorDiv, least, MILLION, MOST, positive, sum } from './numbers.ts';
import { plainMicros } from './plain-micros.ts';
import type { ModelSeries } from './records.ts';
import { buyingPower, cost, equity, inMarginCall, openInterest, reserved } from './risk.ts';
import { bookSide, type ModelState, positionIn } from './state.ts';
import { restingQty, unit } from './units.ts';
import { carriedVisits, groupVisits, look, meet, spend } from './work.ts';

/** An order that asks to be carried out. */
export type Asked = Omit<Taker, 'id'>;

const TIMED_ORDERS_MAX = 1_024;
const RESTING_MAX = 10_000;

/** The first reason against an order, or the order with the quantity that it may trade (TIF-3). */
export function check(state: ModelState, asked: Asked): RejectReason | Asked {
  const reason =
    seriesRefusal(state, asked.series) ??
    sizeRefusal(state, asked) ??
    timeRefusal(state, asked) ??
    roomRefusal(state, asked);
  if (reason !== undefined) return reason;
  if (asked.account.frozen) return REJECT.accountFrozen;
  const cut = { ...asked, qty: reducible(state, asked) };
  if (cut.qty <= 0n) return BATCH_REJECT.nothingToReduce;
  const { met, visits, walk } = encounters(state, cut);
  look(state, asked.account);
  if (!spend(state, visits + groupVisits(state, asked.account, [asked.series])))
    return BATCH_REJECT.tooMuchWork;
  const refused = inMarginCall(state, asked.account) ? reducerRefusal(state, cut) : riskRefusal(state, cut);
  if (refused !== undefined) return refused;
  spend(state, carriedVisits(walk, { fills: met.length, isCombo: false }));
  return meet(state, walk.sets) ? cut : BATCH_REJECT.tooMuchWork;
}

/** Only so many orders of a batch rest for one account (BAT-7). */
function roomRefusal(state: ModelState, asked: Asked): RejectReason | undefined {
  if (!mayRest(asked) || asked.terms === V1_TERMS) return undefined;
  const { index } = asked.account;
  const resting = state.orders.filter(
    ({ owner, set, terms }) => owner === index && set === null && terms !== V1_TERMS,
  );
  return resting.length >= RESTING_MAX ? BATCH_REJECT.tooManyRestingOrders : undefined;
}

/** From the cutoff on, orders are refused (FINE-5). */
export function seriesRefusal(state: ModelState, series: ModelSeries): RejectReason | undefined {
  if (series.status === 'settled') return REJECT.seriesSettled;
  if (series.status === 'pending-review' || state.ts >= series.expiryTs * 1000) return REJECT.seriesExpired;
  return undefined;
}

/** Refuses quantities and prices that are not positive or would leave the exact range (NUM-1). */
function sizeRefusal(state: ModelState, asked: Asked): RejectReason | undefined {
  if (asked.qty <= 0n) return REJECT.badQty;
  if (asked.price !== null && asked.price <= 0n) return REJECT.badPrice;
  return totalsWith(state, asked).every((total) => total <= MOST) ? undefined : REJECT.badQty;
}

/** Every total that could include the quantity; only an order that may rest enters the book. */
function totalsWith(state: ModelState, asked: Asked): bigint[] {
  const { account, series, side, qty, price } = asked;
  const held = positionIn(account, series.sid).qty;
  const towards = positive(side === 'buy' ? held : -held);
  const own = bookSide(state, series.sid, side).filter(({ owner }) => owner === account.index);
  const totals = [
    towards + sum(own.map(({ remaining }) => remaining)) + qty,
    openInterest(state, series.sid) + qty,
  ];
  if (price !== null) totals.push(cost(price, qty));
  const beside = bookSide(state, series.sid, side).map((resting) => resting.remaining);
  return mayRest(asked) ? [...totals, sum(beside) + qty] : totals;
}

/** An order until a date needs one that is still to come, and a place among the account's others (TIF-1). */
function timeRefusal(state: ModelState, { account, terms }: Asked): RejectReason | undefined {
  if (terms.tif !== 'gtd') return undefined;
  if (terms.expiresAt! <= state.ts) return BATCH_REJECT.orderExpired;
  const timed = state.orders.filter((order) => order.owner === account.index && order.terms.tif === 'gtd');
  return timed.length >= TIMED_ORDERS_MAX ? BATCH_REJECT.tooManyTimedOrders : undefined;
}

/** A reduce-only order shrinks to the opposing position, less what rests to close it (TIF-3). */
function reducible(state: ModelState, { account, series, side, qty, terms }: Asked): bigint {
  if (terms.flag !== 'reduce-only') return qty;
  const held = positionIn(account, series.sid).qty;
  const opposing = side === 'sell' ? positive(held) : positive(-held);
  return least(qty, opposing - restingQty(state, account, series, side));
}

/** In a margin call, resting buys count together with the order against the short (FINE-9). */
function reducerRefusal(state: ModelState, asked: Asked): RejectReason | undefined {
  const { account, series, side, qty } = asked;
  const short = -positionIn(account, series.sid).qty;
  const reduces = side === 'buy' && short > 0n && qty + restingQty(state, account, series, 'buy') <= short;
  if (!reduces) return REJECT.reduceOnly;
  if (buyCost(state, asked) > account.cash - reserved(state, account)) return REJECT.insufficientCash;
  return arrivalRefusal(state, asked);
}

function riskRefusal(state: ModelState, asked: Asked): RejectReason | undefined {
  const { account, price, side } = asked;
  const { met, isStopped } = encounters(state, asked);
  if (equity(state, account) <= 0n) {
    if (!relieves(state, asked)) return REJECT.equityDepleted;
    state.notes.push('relief of a depleted account');
  }
  if (price === null && met.length === 0 && !isStopped) return REJECT.noLiquidity;
  const refused = arrivalRefusal(state, asked);
  if (refused !== undefined) return refused;
  return side === 'sell' ? sellRefusal(state, asked) : buyRefusal(state, asked);
}

/** In a batch, closing no more than a short and so lowering what the account requires (DRM-6). */
function relieves(state: ModelState, asked: Asked): boolean {
  const { account, series, side, qty, terms } = asked;
  const short = positive(-positionIn(account, series.sid).qty);
  const isBatch = terms !== V1_TERMS && terms !== V1_MARKET;
  if (!isBatch || side !== 'buy' || qty + restingQty(state, account, series, 'buy') > short) return false;
  return creditOf(state, asked) > 0n;
}

/** The margin that the trades of a buy free, clamped to the exact range. */
function creditOf(state: ModelState, asked: Asked): bigint {
  const { account, series } = asked;
  const filled = filledOf(state, asked);
  if (account.marginMode === 'defined-risk') return -riseOf(state, account, { series, by: filled });
  const short = positive(-positionIn(account, series.sid).qty);
  return clamp(floorDiv(unit(state, series, 'entry') * least(filled, short), MILLION));
}

/** The refusal by the order's own terms on arrival (TIF-1, TIF-2). */
function arrivalRefusal(state: ModelState, asked: Asked): RejectReason | undefined {
  const { series, side, price, terms, qty } = asked;
  const best = bookSide(state, series.sid, opposite(side))[0]?.price;
  const meets = best !== undefined && (price === null || (side === 'buy' ? price >= best : price <= best));
  if (terms.flag === 'post-only' && meets) return BATCH_REJECT.postOnlyWouldTrade;
  return terms.tif === 'fok' && filledOf(state, asked) < qty ? BATCH_REJECT.fokCannotFill : undefined;
}

function filledOf(state: ModelState, asked: Asked): bigint {
  return sum(encounters(state, asked).met.map(({ qty }) => qty));
}

/** The quantity that would rest: none of an order that may not, or that an own order stops. */
function restingOf(state: ModelState, asked: Asked): bigint {
  const { isStopped } = encounters(state, asked);
  return mayRest(asked) && !isStopped ? asked.qty - filledOf(state, asked) : 0n;
}

export function mayRest({ price, terms }: Asked): boolean {
  return price !== null && (terms.tif === 'gtc' || terms.tif === 'gtd');
}

/** Only opening or extending a short needs margin (ORD-4), by what trades or rests (ORD-3, DET-3). */
function sellRefusal(state: ModelState, asked: Asked): RejectReason | undefined {
  const { account, series } = asked;
  const qty = filledOf(state, asked) + restingOf(state, asked);
  const long = positive(positionIn(account, series.sid).qty);
  const resting = restingQty(state, account, series, 'sell');
  const opening = positive(qty + resting - long) - positive(resting - long);
  if (opening > 0n && !account.marginEnabled) return REJECT.marginOff;
  const need =
    account.marginMode === 'defined-risk'
      ? riseOf(state, account, { series, by: -qty })
      : ceilDiv(unit(state, series, 'entry') * opening, MILLION);
  if (need <= 0n) return undefined;
  if (opening === 0n) state.notes.push('sell of a long that covers');
  const have = buyingPower(state, account);
  return need > have ? insufficientMargin(amounts(need, have)) : undefined;
}

/** A buy needs its trades, their fees and its resting cost, less the margin released by closing a short (ORD-3). */
function buyRefusal(state: ModelState, asked: Asked): RejectReason | undefined {
  const { account } = asked;
  const credit = creditOf(state, asked);
  const gross = clamp(buyCost(state, asked));
  const need = gross - credit;
  const have = buyingPower(state, account);
  // A closing buy that releases all it costs adds no risk: with negative buying power it is allowed if cash alone
  // covers it (MAR-3).
  const relieves = need <= 0n && gross <= account.cash - reserved(state, account);
  return need <= have || relieves ? undefined : insufficientBuyingPower(amounts(need, have));
}

function buyCost(state: ModelState, asked: Asked): bigint {
  const values = encounters(state, asked).met.map(({ resting, qty }) => fillValue('buy', resting.price, qty));
  const rests = restingOf(state, asked);
  const resting = rests === 0n ? 0n : cost(asked.price!, rests);
  return sum(values) + sum(values.map(feeOf)) + resting;
}

function amounts(need: bigint, have: bigint): { needMicros: Micros; haveMicros: Micros } {
  return { needMicros: plainMicros(need), haveMicros: plainMicros(have) };
}
