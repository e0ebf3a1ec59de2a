/** Orders: the ladder of checks, in the order that ORD-1 gives it, then matching and resting. */

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
import { marginMicros, riskOf } from '../risk/margin.ts';
import { ENTRY, marginUnitMicros } from '../risk/units.ts';
import type { Account } from '../state/account.ts';
import { costMicros, isCostExact } from '../state/cost.ts';
import type { Position } from '../state/positions.ts';
import type { Series, Side } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { enter, type Sweep, sweep } from './matching.ts';

/** An order whose values are sound: what the checks of the account and the matching work on. */
export interface SoundOrder {
  readonly account: Account;
  readonly series: Series;
  readonly position: Position;
  readonly side: Side;
  readonly qtyMicros: Micros;
  readonly limitMicros: Micros | null;
}

/** Carries out an order of an account, or rejects it with the first reason of the ladder that applies. */
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
  const refused = checkQuantity(order) ?? checkAccount(state, order);
  if (refused !== null) return { account, status: 'rejected', reason: refused };
  // Nothing below may fail.
  return carryOut(state, effects, order, command);
}

/** The contract's own checks: what is traded, how much, at which price. */
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

/** Positions, promises, a side of the book and open interest stay in the exact range whatever trades (OWN-6). */
function checkQuantity({ position, series, side, qtyMicros, limitMicros }: SoundOrder): RejectReason | null {
  const isBuy = side === 'buy';
  const promised = isBuy ? position.restingBuyMicros : position.restingSellMicros;
  const held = isBuy ? position.qtyMicros : -position.qtyMicros;
  const standing = isBuy ? series.restingBuyMicros : series.restingSellMicros;
  const largest = Math.max(
    Math.max(held, 0) + promised,
    limitMicros === null ? 0 : standing,
    series.openInterestMicros,
  );
  return largest + qtyMicros <= MICROS_MAX ? null : REJECT.badQty;
}

/** What the account may do now: owner, margin call, depletion, liquidity, margin, buying power. */
function checkAccount(state: State, order: SoundOrder): RejectReason | null {
  if (order.account.frozen) return REJECT.accountFrozen;
  const risk = riskOf(state, order.account);
  if (risk.isCalled) return checkReducer(state, order);
  if (risk.equityMicros <= 0) return REJECT.equityDepleted;
  const opposite = order.side === 'buy' ? SELL : BUY;
  if (order.limitMicros === null && order.series.book.best(opposite) === null) return REJECT.noLiquidity;
  const buyingPower = clampMicros(order.account.cashMicros - risk.lockedMicros);
  return order.side === 'sell' ? checkSell(state, order, buyingPower) : checkBuy(state, order, buyingPower);
}

/**
 * In a margin call only a buy that reduces a short passes, for no more than the short with the buys that already rest
 * against it, and it is tested against cash alone (FINE-9, OWN-7).
 */
function checkReducer(state: State, order: SoundOrder): RejectReason | null {
  const { account, position, side, qtyMicros } = order;
  const short = Math.max(0, -position.qtyMicros);
  if (side !== 'buy' || qtyMicros + position.restingBuyMicros > short) return REJECT.reduceOnly;
  const need = buyNeedMicros(order, sweep(state, order));
  return need <= freeCashMicros(account) ? null : REJECT.insufficientCash;
}

/**
 * Of a sell, what goes beyond the free long is margined at the entry unit, out of buying power (ORD-4). A market order
 * counts with what the book takes of it (ORD-3).
 */
function checkSell(state: State, order: SoundOrder, have: Micros): RejectReason | null {
  const { account, position, series } = order;
  const qtyMicros = order.limitMicros === null ? sweep(state, order).filledMicros : order.qtyMicros;
  const opening = openingQtyMicros(position, qtyMicros);
  if (opening === 0) return null;
  if (!account.marginEnabled) return REJECT.marginOff;
  const need = marginMicros(marginUnitMicros(state, series, ENTRY), opening);
  return need <= have ? null : insufficientMargin({ needMicros: need, haveMicros: have });
}

/**
 * Tests the cost of a buy, less the margin that its closing part releases, against buying power (ORD-3, OWN-4). A buy
 * whose release covers its cost lowers the risk: it passes also while buying power is negative, as far as free cash
 * goes (OWN-5).
 */
function checkBuy(state: State, order: SoundOrder, have: Micros): RejectReason | null {
  const { account, position, series } = order;
  const swept = sweep(state, order);
  const cost = buyNeedMicros(order, swept);
  const closing = Math.min(swept.filledMicros, Math.max(0, -position.qtyMicros));
  const released = mulDivFloorClamped(marginUnitMicros(state, series, ENTRY), closing, MICROS_PER_UNIT);
  const need = toMicros(cost - released);
  if (need <= have || (need <= 0 && cost <= freeCashMicros(account))) return null;
  return insufficientBuyingPower({ needMicros: need, haveMicros: have });
}

/** Cash that no resting buy has reserved. */
function freeCashMicros(account: Account): number {
  return account.cashMicros - account.reservedMicros;
}

/** Value and fee of what fills, full cost of what rests. */
function buyNeedMicros(order: SoundOrder, swept: Sweep): Micros {
  const left = order.qtyMicros - swept.filledMicros;
  const resting = order.limitMicros === null ? ZERO : costMicros(order.limitMicros, left);
  return toMicros(Math.min(swept.valueMicros + swept.feeMicros + resting, MICROS_MAX));
}

/** The part of a sell that opens or extends a short once the resting sells are netted against the long (ORD-4). */
export function openingQtyMicros(position: Position, qtyMicros: Micros): Micros {
  const long = Math.max(position.qtyMicros, 0);
  const promised = position.restingSellMicros;
  return toMicros(Math.max(0, qtyMicros + promised - long) - Math.max(0, promised - long));
}

function carryOut(state: State, effects: Effects, order: SoundOrder, command: OrderCommand): OrderAccepted {
  const { account, series, side, qtyMicros, limitMicros } = order;
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  // The text that the session has, not an equal one: comparing it then takes no look at its letters.
  const signer = command.authorization && account.lastSession?.sessionKey;
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

/** `partial` also tells of a market order whose remainder was cancelled (ORD-2). */
function statusOf(hasTraded: boolean, leftMicros: Micros, restedMicros: Micros): OrderAccepted['status'] {
  if (hasTraded) return leftMicros === 0 ? 'filled' : 'partial';
  return restedMicros > 0 ? 'rested' : 'cancelled';
}
