/** The checks of an order, in the order of ORD-1 and BAT-4. */

import {
  BATCH_REJECT,
  clampMicros,
  insufficientBuyingPower,
  insufficientMargin,
  isRestingTif,
  MICROS_MAX,
  type Micros,
  type OrderTerms,
  REJECT,
  type RejectReason,
  toMicros,
  ZERO,
} from '@venue/protocol';
import type { EntryRisk } from '../risk/entry-risk.ts';
import { releasedMicros, sellNeedMicros } from '../risk/needs.ts';
import type { Risk } from '../risk/risk.ts';
import type { Account } from '../state/account.ts';
import { costMicros, isCostExact } from '../state/cost.ts';
import { RESTING_ORDERS_MAX, TIMED_ORDERS_MAX } from '../state/limits.ts';
import type { Position } from '../state/positions.ts';
import { quotedMicros } from '../state/quote-sets.ts';
import type { Series, Side } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { PLAIN_LIMIT, PLAIN_MARKET } from '../state/terms.ts';
import { type BookWalk, walkBook } from './matching.ts';
import { bookSide } from './resting.ts';
import { groupVisits, orderVisits, type Work } from './work.ts';

/** The terms of an order; an amend asks for what is left of its order. */
export interface OrderRequest {
  readonly seriesId: string;
  readonly side: Side;
  /** 0 means a quantity that is not representable: both are `bad qty`. */
  readonly qtyMicros: number;
  /** Null for a market order; 0 means a price that is not representable: both are `bad price`. */
  readonly priceMicros: number | null;
}

/** An order with valid values, as needed by the account checks and the matching. */
export interface SoundOrder {
  readonly account: Account;
  readonly series: Series;
  readonly position: Position;
  readonly side: Side;
  readonly qtyMicros: Micros;
  readonly limitMicros: Micros | null;
  readonly terms: OrderTerms;
}

/** An order that may be carried out, or the first reason why not. */
export type Checked = { readonly order: SoundOrder } | { readonly reason: RejectReason };

/** An order on its terms, and what may be looked at for it. */
export interface TermedRequest extends OrderRequest {
  readonly terms: OrderTerms;
  readonly work: Work;
  /** The risk of its account in this entry. */
  readonly risk: EntryRisk;
}

/** Checks an order of an account. The quantity of a reduce-only order is cut to what it may reduce (TIF-3). */
export function checkOrder(state: State, account: Account, request: TermedRequest): Checked {
  const series = state.seriesById.get(request.seriesId);
  const unsound = checkTerms(state, series, request);
  if (unsound !== null || series === undefined) return { reason: unsound ?? REJECT.unknownSeries };
  const { side, qtyMicros, priceMicros, terms, work, risk } = request;
  const asked: SoundOrder = {
    account,
    series,
    position: account.positions.get(series.sid) ?? state.positions.flat,
    side,
    qtyMicros: toMicros(qtyMicros),
    limitMicros: priceMicros === null ? null : toMicros(priceMicros),
    terms,
  };
  const early =
    checkQuantity(state, asked) ??
    checkTime(state, account, terms) ??
    checkRoom(state, asked) ??
    (account.frozen ? REJECT.accountFrozen : null);
  if (early !== null) return { reason: early };
  const order = terms.flag === 'reduce-only' ? reduced(asked) : asked;
  if (order.qtyMicros === 0) return { reason: BATCH_REJECT.nothingToReduce };
  work.look(account);
  const walk = walkBook(state, { ...order, stp: terms.stp }, { visitsMax: work.left });
  if (!work.spend(walk.visits + groupVisits(state, account, [series])))
    return { reason: BATCH_REJECT.tooMuchWork };
  const reason = checkAccount(state, order, { risk: risk.get(), walk });
  if (reason !== null) return { reason };
  work.spend(orderVisits(walk));
  return work.meet(state, walk.sets) ? { order } : { reason: BATCH_REJECT.tooMuchWork };
}

/** True if what is left of the order rests in the book (TIF-1). */
export function mayRest({ limitMicros, terms }: SoundOrder): boolean {
  return limitMicros !== null && isRestingTif(terms.tif);
}

/** Checks what is traded, how much, and at which price. */
export function checkTerms(
  state: State,
  series: Series | undefined,
  request: OrderRequest,
): RejectReason | null {
  const closed = checkSeries(state, series);
  if (closed !== null) return closed;
  const { qtyMicros, priceMicros } = request;
  if (!(Number.isSafeInteger(qtyMicros) && qtyMicros > 0)) return REJECT.badQty;
  if (priceMicros === null) return null;
  if (!(Number.isSafeInteger(priceMicros) && priceMicros > 0)) return REJECT.badPrice;
  return isCostExact(priceMicros, qtyMicros) ? null : REJECT.badQty;
}

/** A series must be listed, and trades until its cutoff (FINE-5). */
export function checkSeries({ ts }: State, series: Series | undefined): RejectReason | null {
  if (series === undefined) return REJECT.unknownSeries;
  if (series.status === 'settled') return REJECT.seriesSettled;
  return series.status !== 'live' || ts >= series.cutoffMs ? REJECT.seriesExpired : null;
}

/** A timed order must have time left, and an account has only so many of them (TIF-1). */
function checkTime(state: State, account: Account, { tif, expiresAt = 0 }: OrderTerms): RejectReason | null {
  if (tif !== 'gtd') return null;
  if (expiresAt <= state.ts) return BATCH_REJECT.orderExpired;
  return state.terms.countsOf(account.index).timed < TIMED_ORDERS_MAX
    ? null
    : BATCH_REJECT.tooManyTimedOrders;
}

/** An account has only so many resting orders that came by batches (BAT-7). */
function checkRoom({ terms }: State, order: SoundOrder): RejectReason | null {
  // Terms that are not an order's own are those of one placed by itself.
  if (!mayRest(order) || order.terms === PLAIN_LIMIT) return null;
  const hasRoom = terms.countsOf(order.account.index).resting < RESTING_ORDERS_MAX;
  return hasRoom ? null : BATCH_REJECT.tooManyRestingOrders;
}

/**
 * Keeps positions, resting quantities, a side of the book and open interest in the exact range, whatever trades
 * (OWN-6).
 */
function checkQuantity(state: State, order: SoundOrder): RejectReason | null {
  const { series, side, qtyMicros } = order;
  const standing = side === 'buy' ? series.restingBuyMicros : series.restingSellMicros;
  const largest = Math.max(largestTotalMicros(state, order), mayRest(order) ? standing : 0);
  return largest + qtyMicros <= MICROS_MAX ? null : REJECT.badQty;
}

/** The larger of what the account would hold on a side if all that rests there traded, and the open interest. */
export function largestTotalMicros(
  state: State,
  { account, position, series, side }: Pick<SoundOrder, 'account' | 'position' | 'series' | 'side'>,
): number {
  const isBuy = side === 'buy';
  const resting =
    (isBuy ? position.restingBuyMicros : position.restingSellMicros) +
    quotedMicros(state, account.index, series.sid)[isBuy ? 'bidMicros' : 'askMicros'];
  const held = isBuy ? position.qtyMicros : -position.qtyMicros;
  return Math.max(Math.max(held, 0) + resting, series.openInterestMicros);
}

/** A reduce-only order trades no more than the opposing position less what rests to close it (TIF-3). */
function reduced(order: SoundOrder): SoundOrder {
  const { position, side, qtyMicros } = order;
  const closable =
    side === 'buy'
      ? -position.qtyMicros - position.restingBuyMicros
      : position.qtyMicros - position.restingSellMicros;
  return { ...order, qtyMicros: toMicros(Math.min(qtyMicros, Math.max(0, closable))) };
}

/** The account that an order meets, and the book as the matching will walk it. */
interface Prospect {
  readonly risk: Risk;
  readonly walk: BookWalk;
}

/** Checks the account: margin call, depletion, liquidity, what the order demands of the book, margin, buying power. */
function checkAccount(state: State, order: SoundOrder, prospect: Prospect): RejectReason | null {
  const { risk, walk } = prospect;
  if (risk.isCalled) return checkReducer(order, prospect) ?? checkArrival(order, walk);
  if (risk.equityMicros <= 0 && !isRelief(state, order, walk)) return REJECT.equityDepleted;
  const meetsNone = walk.filledMicros === 0 && !walk.isPrevented;
  if (order.limitMicros === null && meetsNone) return REJECT.noLiquidity;
  const unmet = checkArrival(order, walk);
  if (unmet !== null) return unmet;
  const buyingPower = clampMicros(order.account.cashMicros - risk.lockedMicros);
  return order.side === 'sell'
    ? checkSell(state, order, prospect.walk, buyingPower)
    : checkBuy(state, order, prospect.walk, buyingPower);
}

/**
 * True of a buy in a batch that only reduces a short and lowers what the account requires. Marks alone can take the equity
 * of covered shorts below zero without a call, and nothing else would ever close them (DRM-6); buying power decides.
 */
function isRelief(state: State, order: SoundOrder, walk: BookWalk): boolean {
  const { account, position, series, terms } = order;
  if (terms === PLAIN_LIMIT || terms === PLAIN_MARKET || !isReducer(order)) return false;
  const { filledMicros: qtyMicros } = walk;
  const closingMicros = Math.min(qtyMicros, -position.qtyMicros);
  return releasedMicros(state, account, { series, qtyMicros, closingMicros }) > 0;
}

/** A buy that, together with the buys already resting against it, does not exceed a short. */
function isReducer({ position, side, qtyMicros }: SoundOrder): boolean {
  const short = Math.max(0, -position.qtyMicros);
  return side === 'buy' && qtyMicros + position.restingBuyMicros <= short;
}

/** A post-only order may not trade on arrival, and a fok order only as a whole (TIF-1, TIF-2, DET-3). */
function checkArrival(order: SoundOrder, walk: BookWalk): RejectReason | null {
  const { series, side, qtyMicros, limitMicros, terms } = order;
  if (terms.flag === 'post-only' && limitMicros !== null && series.book.crosses(bookSide(side), limitMicros))
    return BATCH_REJECT.postOnlyWouldTrade;
  return terms.tif === 'fok' && walk.filledMicros < qtyMicros ? BATCH_REJECT.fokCannotFill : null;
}

/** In a margin call only a buy that reduces a short passes; it needs only cash (FINE-9, OWN-7). */
function checkReducer(order: SoundOrder, { walk }: Prospect): RejectReason | null {
  if (!isReducer(order)) return REJECT.reduceOnly;
  const need = buyNeedMicros(order, walk);
  return need <= freeCashMicros(order.account) ? null : REJECT.insufficientCash;
}

/**
 * The part of a sell beyond the free long needs entry margin out of buying power (ORD-4). Only what trades or rests
 * counts (ORD-3). Where longs cover shorts, so does selling one that does (DRM-3).
 */
function checkSell(state: State, order: SoundOrder, walk: BookWalk, have: Micros): RejectReason | null {
  const { account, position, series } = order;
  const qtyMicros = walk.filledMicros + restingQtyMicros(order, walk);
  const openingMicros = openingQtyMicros(position, qtyMicros);
  if (openingMicros > 0 && !account.marginEnabled) return REJECT.marginOff;
  const need = sellNeedMicros(state, account, { series, qtyMicros, openingMicros });
  return need === 0 || need <= have ? null : insufficientMargin({ needMicros: need, haveMicros: have });
}

/**
 * Buying power must cover the cost of a buy less the margin released by its closing part (ORD-3, OWN-4). A buy that
 * releases at least its cost lowers the risk: it passes even with negative buying power, as far as free cash goes
 * (OWN-5).
 */
function checkBuy(state: State, order: SoundOrder, walk: BookWalk, have: Micros): RejectReason | null {
  const { account, position, series } = order;
  const cost = buyNeedMicros(order, walk);
  const closingMicros = Math.min(walk.filledMicros, Math.max(0, -position.qtyMicros));
  const released = releasedMicros(state, account, { series, qtyMicros: walk.filledMicros, closingMicros });
  // Where longs cover shorts, a buy may also raise the requirement: cost and rise together may leave the exact range.
  const need = clampMicros(cost - released);
  if (need <= have || (need <= 0 && cost <= freeCashMicros(account))) return null;
  return insufficientBuyingPower({ needMicros: need, haveMicros: have });
}

/** Cash not reserved by resting buys. */
function freeCashMicros(account: Account): number {
  return account.cashMicros - account.reservedMicros;
}

/** The quantity that will rest. */
function restingQtyMicros(order: SoundOrder, walk: BookWalk): number {
  return mayRest(order) && !walk.isPrevented ? order.qtyMicros - walk.filledMicros : 0;
}

/** Value and fee of the fills, full cost of the resting part. */
function buyNeedMicros(order: SoundOrder, walk: BookWalk): Micros {
  const left = restingQtyMicros(order, walk);
  const resting = order.limitMicros === null ? ZERO : costMicros(order.limitMicros, left);
  return toMicros(Math.min(walk.valueMicros + walk.feeMicros + resting, MICROS_MAX));
}

/** The part of a sell that opens or extends a short, after netting the resting sells against the long (ORD-4). */
export function openingQtyMicros(position: Position, qtyMicros: number): Micros {
  const long = Math.max(position.qtyMicros, 0);
  const resting = position.restingSellMicros;
  return toMicros(Math.max(0, qtyMicros + resting - long) - Math.max(0, resting - long));
}
