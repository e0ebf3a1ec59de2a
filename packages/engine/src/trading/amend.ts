/** Amends a resting order: in its place where nobody behind it loses by that, else as a new arrival (AMD-1). */

import { type AmendAction, BATCH_REJECT, type RejectReason, toMicros, ZERO } from '@venue/protocol';
import type { OrderHandle } from '../book/book.ts';
import type { Effects } from '../entry/effects.ts';
import type { EntryRisk } from '../risk/entry-risk.ts';
import type { State } from '../state/state.ts';
import { match } from './matching.ts';
import { checkOrder } from './order-checks.ts';
import { arrivalOf, causeOf, type Declined, type Placed, remainderMicros, type SignedBy } from './orders.ts';
import {
  closeOrder,
  dropLifted,
  type LiftedOrder,
  liftResting,
  pullResting,
  putBackResting,
  requeueResting,
  shrinkResting,
} from './resting.ts';
import type { Work } from './work.ts';

/** The new terms of an order, those that stay written out. */
interface Wanted {
  readonly priceMicros: number;
  /** The new total, what is filled included. */
  readonly totalMicros: number;
  readonly filledMicros: number;
  readonly signer: SignedBy;
  readonly work: Work;
  readonly risk: EntryRisk;
}

/** Amends a resting order. A refused amend leaves it as it was. */
export function amendOrder(
  state: State,
  effects: Effects,
  h: OrderHandle,
  action: Pick<AmendAction, 'qtyMicros' | 'priceMicros' | 'filledAtMostMicros'> & {
    readonly signer: SignedBy;
    readonly work: Work;
    readonly risk: EntryRisk;
  },
): Placed | Declined {
  const { orders } = state;
  const orderId = orders.id(h);
  const wanted: Wanted = {
    priceMicros: action.priceMicros ?? orders.price(h),
    totalMicros: action.qtyMicros ?? orders.quantity(h),
    filledMicros: orders.quantity(h) - orders.remaining(h),
    signer: action.signer,
    work: action.work,
    risk: action.risk,
  };
  if (wanted.filledMicros > (action.filledAtMostMicros ?? wanted.filledMicros))
    return declined(BATCH_REJECT.filledMoreThanExpected);
  if (wanted.totalMicros <= wanted.filledMicros) {
    pullResting(state, effects, h, 'user');
    return { ...UNTRADED, status: 'cancelled', orderId, restedMicros: ZERO };
  }
  const keepsPlace = wanted.priceMicros === orders.price(h) && wanted.totalMicros <= orders.quantity(h);
  if (!keepsPlace) return arriveAgain(state, effects, h, wanted);
  if (wanted.totalMicros < orders.quantity(h)) shrinkResting(state, effects, h, toMicros(wanted.totalMicros));
  return { ...UNTRADED, status: 'rested', orderId, restedMicros: orders.remaining(h) };
}

const UNTRADED = { trades: [], qtyMicros: ZERO, isPrevented: false } as const;

function declined(reason: RejectReason): Declined {
  return { status: 'rejected', reason };
}

/** Tested as if the order had just been cancelled; it then keeps its id and its terms. */
function arriveAgain(state: State, effects: Effects, h: OrderHandle, wanted: Wanted): Placed | Declined {
  const lifted = liftResting(state, h);
  const { account, series, side, terms } = lifted;
  const { priceMicros, totalMicros, filledMicros, work, risk } = wanted;
  const qtyMicros = totalMicros - filledMicros;
  const request = { seriesId: series.seriesId, side, qtyMicros, priceMicros, terms, work, risk };
  const checked = checkOrder(state, account, request);
  if ('reason' in checked) {
    putBackResting(state, lifted);
    return declined(checked.reason);
  }
  // Nothing below may fail.
  const { order } = checked;
  const { id } = lifted;
  const amended = { id, account, priceMicros: toMicros(priceMicros), qtyMicros: toMicros(totalMicros) };
  effects.orderAmended(amended);
  const entered = match(state, effects, { ...order, id, signer: wanted.signer, stp: terms.stp });
  const restedMicros = remainderMicros(order, entered);
  if (restedMicros > 0)
    requeueResting(state, lifted, { ...amended, remainingMicros: restedMicros, signer: wanted.signer });
  else leave(state, effects, lifted, causeOf(entered));
  effects.ordersChanged(account);
  return { ...arrivalOf(entered, restedMicros), orderId: id, qtyMicros: order.qtyMicros };
}

function leave(state: State, effects: Effects, lifted: LiftedOrder, cause: ReturnType<typeof causeOf>): void {
  const { id, account, terms } = lifted;
  dropLifted(state, lifted);
  closeOrder(state, effects, { id, account, terms, cause });
}
