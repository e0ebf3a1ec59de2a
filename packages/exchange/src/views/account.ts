/** The account as clients see it. */

import {
  type Account,
  guardAt,
  type OrderHandle,
  type Position,
  positionMarkMicros,
  positionUnrealizedMicros,
  riskOf,
  type Series,
  type State,
  sideOf,
  unrealizedMicros,
} from '@venue/engine';
import {
  clampMicros,
  MICROS_PER_UNIT,
  microsToDecimal,
  mulDivFloor,
  type OpenOrder,
  type StreamOrder,
  type Account as WireAccount,
  type Position as WirePosition,
  ZERO,
} from '@venue/protocol';

export const OPEN_ORDERS_MAX = 500;

/** The account of a wallet, in US dollars and contracts; pass its open orders if they are known. */
export function accountView(
  state: State,
  account: Account,
  openOrders = openOrdersView(state, account),
): WireAccount {
  const risk = riskOf(state, account);
  return {
    address: account.address!,
    cash: microsToDecimal(account.cashMicros),
    equity: microsToDecimal(risk.equityMicros),
    buyingPower: microsToDecimal(clampMicros(account.cashMicros - risk.lockedMicros)),
    locked: microsToDecimal(risk.lockedMicros),
    realizedPnl: microsToDecimal(account.realizedMicros),
    unrealizedPnl: microsToDecimal(unrealizedMicros(state, account)),
    maintenanceMargin: microsToDecimal(risk.maintenanceMarginMicros),
    marginCall: risk.isCalled,
    marginEnabled: account.marginEnabled,
    openOrderCount: state.orders.countOf(account.index),
    openOrders,
    positions: positionsView(state, account),
    ...(account.frozen && { held: microsToDecimal(account.heldMicros) }),
  };
}

/** The account as its owner asks for it, with its guard (GRD-1). Other answers are as the contract has them. */
export function guardedAccountView(state: State, account: Account, openOrders?: OpenOrder[]): WireAccount {
  return { ...accountView(state, account, openOrders), guardAt: guardAt(state, account) };
}

/** All resting orders, ascending by id: the rows of the `orders` frame. */
export function streamOrdersView(state: State, account: Account): StreamOrder[] {
  return handlesOf(state, account).map((h) => ({
    id: state.orders.id(h),
    seriesId: seriesOf(state, h).seriesId,
    side: sideOf(state, h),
    price: microsToDecimal(state.orders.price(h)),
    remaining: microsToDecimal(state.orders.remaining(h)),
  }));
}

/** The newest 500, ascending by id (FINE-7, ORD-11). */
export function openOrdersView(state: State, account: Account): OpenOrder[] {
  return handlesOf(state, account)
    .slice(-OPEN_ORDERS_MAX)
    .map((h) => openOrderView(state, h));
}

function openOrderView(state: State, h: OrderHandle): OpenOrder {
  const { orders } = state;
  const series = seriesOf(state, h);
  return {
    id: orders.id(h),
    seriesId: series.seriesId,
    symbol: series.instrument.symbol,
    side: sideOf(state, h),
    price: microsToDecimal(orders.price(h)),
    qty: microsToDecimal(orders.quantity(h)),
    remaining: microsToDecimal(orders.remaining(h)),
    ts: orders.placedAt(h),
  };
}

/** An account's positions, without flat ones. */
export function positionsView(state: State, account: Account): WirePosition[] {
  return [...account.positions]
    .filter(({ qtyMicros }) => qtyMicros !== 0)
    .map((position) => positionView(state, position));
}

function positionView(state: State, position: Position): WirePosition {
  const { series, qtyMicros, costMicros, realizedMicros } = position;
  return {
    seriesId: series.seriesId,
    symbol: series.instrument.symbol,
    optType: series.right === 'C' ? 'call' : 'put',
    strike: microsToDecimal(series.strikeMicros),
    expiryTs: series.expiryTs,
    qty: microsToDecimal(qtyMicros),
    avgPrice: microsToDecimal(averagePriceMicros(costMicros, Math.abs(qtyMicros))),
    mark: microsToDecimal(positionMarkMicros(state, series)),
    realized: microsToDecimal(realizedMicros),
    unrealized: microsToDecimal(positionUnrealizedMicros(state, position)),
  };
}

function averagePriceMicros(costMicros: number, qtyMicros: number) {
  return qtyMicros === 0 ? ZERO : mulDivFloor(costMicros, MICROS_PER_UNIT, qtyMicros);
}

/** Handles of an account's resting orders, in order of placement. */
export function handlesOf(state: State, account: Account): OrderHandle[] {
  const handles: OrderHandle[] = [];
  for (let h = state.orders.firstOf(account.index); h !== null; h = state.orders.nextOf(h)) handles.push(h);
  return handles;
}

function seriesOf(state: State, h: OrderHandle): Series {
  return state.series[state.orders.book(h)]!;
}
