/** Places orders: the checks, then matching and resting. */

import { type Micros, type RejectReason, ZERO } from '@venue/protocol';
import type { OrderCommand } from '../entry/command.ts';
import type { CloseCause, Effects } from '../entry/effects.ts';
import type { OrderAccepted, OrderRejected, Trade } from '../entry/outcome.ts';
import { EntryRisk } from '../risk/entry-risk.ts';
import type { Account } from '../state/account.ts';
import type { SessionRecord } from '../state/session.ts';
import type { State } from '../state/state.ts';
import { PLAIN_LIMIT, PLAIN_MARKET } from '../state/terms.ts';
import { type Entered, match } from './matching.ts';
import { checkOrder, mayRest, type SoundOrder, type TermedRequest } from './order-checks.ts';
import { closeOrder, rest } from './resting.ts';
import { unboundedWork } from './work.ts';

/** An order that was accepted, and what became of it on arrival. */
export interface Placed {
  readonly status: OrderAccepted['status'];
  readonly orderId: number;
  /** One per matched resting order. */
  readonly trades: readonly Trade[];
  readonly restedMicros: Micros;
  /** The quantity that the order was carried out with. */
  readonly qtyMicros: Micros;
  /** True if an own order kept the rest from trading and from resting (STP-1). */
  readonly isPrevented: boolean;
}

export interface Declined {
  readonly status: 'rejected';
  readonly reason: RejectReason;
}

export type SignedBy = SessionRecord | null | undefined;

/** Executes an order placed by itself, or rejects it with the first reason that applies. */
export function placePlainOrder(
  state: State,
  effects: Effects,
  account: Account,
  command: OrderCommand,
): OrderAccepted | OrderRejected {
  const terms = command.priceMicros === null ? PLAIN_MARKET : PLAIN_LIMIT;
  const signer = command.authorization && account.lastSession;
  const bounds = { work: unboundedWork(), risk: new EntryRisk(state, account) };
  const placed = placeOrder(state, effects, account, { ...command, terms, signer, ...bounds });
  if (placed.status === 'rejected') return { account, status: 'rejected', reason: placed.reason };
  const { status, orderId, trades, restedMicros } = placed;
  return { account, status, orderId, trades, restedMicros };
}

export interface NewOrder extends TermedRequest {
  readonly signer: SignedBy;
}

/** Executes an order on its terms, or says why not. */
export function placeOrder(
  state: State,
  effects: Effects,
  account: Account,
  request: NewOrder,
): Placed | Declined {
  const { terms, signer } = request;
  const checked = checkOrder(state, account, request);
  if ('reason' in checked) return { status: 'rejected', reason: checked.reason };
  // Nothing below may fail.
  const { order } = checked;
  const { series, side, qtyMicros, limitMicros } = order;
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  if (terms.clientId !== undefined) state.clientIds.open(account.index, terms.clientId, id);
  effects.orderOpened({ id, account, series, side, priceMicros: limitMicros, qtyMicros, terms });
  const entered = match(state, effects, {
    id,
    account,
    series,
    side,
    qtyMicros,
    limitMicros,
    signer,
    stp: terms.stp,
  });
  const restedMicros = remainderMicros(order, entered);
  if (restedMicros > 0 && limitMicros !== null) {
    const resting = { id, account, series, side, priceMicros: limitMicros, qtyMicros, signer, terms };
    rest(state, effects, { ...resting, remainingMicros: restedMicros });
  } else {
    closeOrder(state, effects, { id, account, terms, cause: causeOf(entered) });
  }
  return { ...arrivalOf(entered, restedMicros), orderId: id, qtyMicros };
}

/** The quantity of an order that rests once it has traded. */
export function remainderMicros(order: SoundOrder, { leftMicros, isPrevented }: Entered): Micros {
  return mayRest(order) && !isPrevented ? leftMicros : ZERO;
}

/** Why an order that does not rest is closed. */
export function causeOf({ leftMicros, isPrevented }: Entered): CloseCause {
  if (leftMicros === 0) return 'filled';
  return isPrevented ? 'stp' : 'ioc';
}

/** The result of an order on arrival. */
export function arrivalOf(
  { trades, leftMicros, isPrevented }: Entered,
  restedMicros: Micros,
): Pick<Placed, 'status' | 'trades' | 'restedMicros' | 'isPrevented'> {
  const status = statusOf(trades.length > 0, leftMicros, restedMicros);
  return { status, trades, restedMicros, isPrevented };
}

/** `partial` also covers an order whose remainder was cancelled (ORD-2). */
function statusOf(hasTraded: boolean, leftMicros: Micros, restedMicros: Micros): OrderAccepted['status'] {
  if (hasTraded) return leftMicros === 0 ? 'filled' : 'partial';
  return restedMicros > 0 ? 'rested' : 'cancelled';
}
