/** Orders: the checks in the order of ORD-1, then matching and resting. */

import {
  clampMicros,
  insufficientBuyingPower,
  insufficientMargin,
  MICROS_MAX,
  MICROS_PER_UNIT,
  type Micros,
  mulDivFloorClamped,
  REJECT,
  type RejectReason,
  toMicros,
  ZERO,
} from '@venue/protocol';
import { BUY, SELL } from '../book/book.ts';
import type { OrderCommand } from '../entry/command.ts';
import type { Effects } from '../entry/effects.ts';
import type { OrderAccepted, OrderRejected } from '../entry/outcome.ts';
import { marginMicros, type Risk, riskOf } from '../risk/margin.ts';
import { ENTRY_MARGIN, marginUnitMicros } from '../risk/units.ts';
import type { Account } from '../state/account.ts';
import { costMicros, isCostExact } from '../state/cost.ts';
import type { Position } from '../state/positions.ts';
import type { Series, Side } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { type BookWalk, enter, walkBook } from './matching.ts';

/** An order with valid values, as needed by the account checks and the matching. */
export interface SoundOrder {
  readonly account: Account;
  readonly series: Series;
  readonly position: Position;
  readonly side: Side;
  readonly qtyMicros: Micros;
  readonly limitMicros: Micros | null;
}

/** Executes an order of an account, or rejects it with the first reason that applies. */
export function placeOrder(
  state: State,
  effects: Effects,
  account: Account,
  command: OrderCommand,
): OrderAccepted | OrderRejected {
  const series = state.seriesById.get(command.seriesId);
  const reason = checkTerms(state, series, command);
  if (reason !== null || series === undefined) {
    return { account, status: 'rejected', reason: reason ?? REJECT.unknownSeries };
  }
  const order: SoundOrder = {
    account,
    series,
    position: account.positions.get(series.sid) ?? state.positions.flat,
    side: command.side,
    qtyMicros: toMicros(command.qtyMicros),
    limitMicros: command.priceMicros === null ? null : toMicros(command.priceMicros),
  };
  const refused = checkQuantity(order) ?? checkAccount(order, prospectOf(state, order));
  if (refused !== null) return { account, status: 'rejected', reason: refused };
  // Nothing below may fail.
  return carryOut(state, effects, order, command);
}

/** Checks what is traded, how much, and at which price. */
function checkTerms(state: State, series: Series | undefined, command: OrderCommand): RejectReason | null {
  if (series === undefined) return REJECT.unknownSeries;
  if (series.status === 'settled') return REJECT.seriesSettled;
  if (series.status !== 'live' || state.ts >= series.cutoffMs) return REJECT.seriesExpired;
  const { qtyMicros, priceMicros } = command;
  if (!(Number.isSafeInteger(qtyMicros) && qtyMicros > 0)) return REJECT.badQty;
  if (priceMicros === null) return null;
  if (!(Number.isSafeInteger(priceMicros) && priceMicros > 0)) return REJECT.badPrice;
  return isCostExact(priceMicros, qtyMicros) ? null : REJECT.badQty;
}

/**
 * Keeps positions, resting quantities, a side of the book and open interest in the exact range, whatever trades
 * (OWN-6).
 */
function checkQuantity({ position, series, side, qtyMicros, limitMicros }: SoundOrder): RejectReason | null {
  const isBuy = side === 'buy';
  const resting = isBuy ? position.restingBuyMicros : position.restingSellMicros;
  const held = isBuy ? position.qtyMicros : -position.qtyMicros;
  const standing = isBuy ? series.restingBuyMicros : series.restingSellMicros;
  const largest = Math.max(
    Math.max(held, 0) + resting,
    limitMicros === null ? 0 : standing,
    series.openInterestMicros,
  );
  return largest + qtyMicros <= MICROS_MAX ? null : REJECT.badQty;
}

/** What the venue looks like to an order: read once, so that the checks need nothing else. */
interface Prospect {
  readonly risk: Risk;
  /** Entry margin of one short contract of the series. */
  readonly unitMicros: Micros;
  readonly walk: BookWalk;
}

function prospectOf(state: State, order: SoundOrder): Prospect {
  return {
    risk: riskOf(state, order.account),
    unitMicros: marginUnitMicros(state, order.series, ENTRY_MARGIN),
    walk: walkBook(state, order),
  };
}

/** Checks the account: owner, margin call, depletion, liquidity, margin, buying power. */
function checkAccount(order: SoundOrder, prospect: Prospect): RejectReason | null {
  const { risk } = prospect;
  if (order.account.frozen) return REJECT.accountFrozen;
  if (risk.isCalled) return checkReducer(order, prospect);
  if (risk.equityMicros <= 0) return REJECT.equityDepleted;
  const opposite = order.side === 'buy' ? SELL : BUY;
  if (order.limitMicros === null && order.series.book.best(opposite) === null) return REJECT.noLiquidity;
  const buyingPower = clampMicros(order.account.cashMicros - risk.lockedMicros);
  return order.side === 'sell'
    ? checkSell(order, prospect, buyingPower)
    : checkBuy(order, prospect, buyingPower);
}

/**
 * In a margin call only a buy that reduces a short passes. Together with the buys already resting against it, it may
 * not exceed the short; it needs only cash (FINE-9, OWN-7).
 */
function checkReducer(order: SoundOrder, { walk }: Prospect): RejectReason | null {
  const { account, position, side, qtyMicros } = order;
  const short = Math.max(0, -position.qtyMicros);
  if (side !== 'buy' || qtyMicros + position.restingBuyMicros > short) return REJECT.reduceOnly;
  const need = buyNeedMicros(order, walk);
  return need <= freeCashMicros(account) ? null : REJECT.insufficientCash;
}

/**
 * The part of a sell beyond the free long needs entry margin out of buying power (ORD-4). A market order counts with
 * the quantity the book can take (ORD-3).
 */
function checkSell(order: SoundOrder, { unitMicros, walk }: Prospect, have: Micros): RejectReason | null {
  const { account, position } = order;
  const qtyMicros = order.limitMicros === null ? walk.filledMicros : order.qtyMicros;
  const opening = openingQtyMicros(position, qtyMicros);
  if (opening === 0) return null;
  if (!account.marginEnabled) return REJECT.marginOff;
  const need = marginMicros(unitMicros, opening);
  return need <= have ? null : insufficientMargin({ needMicros: need, haveMicros: have });
}

/**
 * Buying power must cover the cost of a buy less the margin released by its closing part (ORD-3, OWN-4). A buy that
 * releases at least its cost lowers the risk: it passes even with negative buying power, as far as free cash goes
 * (OWN-5).
 */
function checkBuy(order: SoundOrder, { unitMicros, walk }: Prospect, have: Micros): RejectReason | null {
  const { account, position } = order;
  const cost = buyNeedMicros(order, walk);
  const closing = Math.min(walk.filledMicros, Math.max(0, -position.qtyMicros));
  const released = mulDivFloorClamped(unitMicros, closing, MICROS_PER_UNIT);
  const need = toMicros(cost - released);
  if (need <= have || (need <= 0 && cost <= freeCashMicros(account))) return null;
  return insufficientBuyingPower({ needMicros: need, haveMicros: have });
}

/** Cash not reserved by resting buys. */
function freeCashMicros(account: Account): number {
  return account.cashMicros - account.reservedMicros;
}

/** Value and fee of the fills, full cost of the resting part. */
function buyNeedMicros(order: SoundOrder, walk: BookWalk): Micros {
  const left = order.qtyMicros - walk.filledMicros;
  const resting = order.limitMicros === null ? ZERO : costMicros(order.limitMicros, left);
  return toMicros(Math.min(walk.valueMicros + walk.feeMicros + resting, MICROS_MAX));
}

/** The part of a sell that opens or extends a short, after netting the resting sells against the long (ORD-4). */
export function openingQtyMicros(position: Position, qtyMicros: Micros): Micros {
  const long = Math.max(position.qtyMicros, 0);
  const resting = position.restingSellMicros;
  return toMicros(Math.max(0, qtyMicros + resting - long) - Math.max(0, resting - long));
}

function carryOut(state: State, effects: Effects, order: SoundOrder, command: OrderCommand): OrderAccepted {
  const { account, series, side, qtyMicros, limitMicros } = order;
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  const signer = command.authorization && account.lastSession;
  const terms = { id, account, series, side, qtyMicros, limitMicros, signer };
  const { trades, leftMicros } = enter(state, effects, terms);
  const restedMicros = limitMicros === null ? ZERO : leftMicros;
  return {
    account,
    status: statusOf(trades.length > 0, leftMicros, restedMicros),
    orderId: id,
    trades,
    restedMicros,
  };
}

/** `partial` also covers a market order whose remainder was cancelled (ORD-2). */
function statusOf(hasTraded: boolean, leftMicros: Micros, restedMicros: Micros): OrderAccepted['status'] {
  if (hasTraded) return leftMicros === 0 ? 'filled' : 'partial';
  return restedMicros > 0 ? 'rested' : 'cancelled';
}
