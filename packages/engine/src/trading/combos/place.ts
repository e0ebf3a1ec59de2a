/** Trades a combo: all its legs in one entry, or none (CMB-1). */

import { type Micros, type OrderTerms, type RejectReason, toMicros, ZERO } from '@venue/protocol';
import type { Effects } from '../../entry/effects.ts';
import type { LegTrade } from '../../entry/outcome.ts';
import type { Account } from '../../state/account.ts';
import type { State } from '../../state/state.ts';
import { match } from '../matching.ts';
import type { SignedBy } from '../orders.ts';
import { closeOrder } from '../resting.ts';
import { checkCombo } from './checks.ts';
import type { ComboPlan, ComboRequest, SoundCombo } from './combo.ts';

/** A combo that passed every check, and what became of it. */
export interface ComboPlaced {
  readonly status: 'filled' | 'partial' | 'cancelled';
  readonly orderId: number;
  /** Leg by leg, one per matched resting order. */
  readonly trades: readonly LegTrade[];
  /** Units that traded. */
  readonly filledMicros: Micros;
}

export interface ComboDeclined {
  readonly status: 'rejected';
  readonly reason: RejectReason;
}

export interface NewCombo extends ComboRequest {
  readonly signer: SignedBy;
}

/** The terms of a combo: its own orders stop a leg, and what does not trade at once is gone. */
export function comboTerms(tif: 'ioc' | 'fok', clientId: string | undefined): OrderTerms {
  return { tif, stp: 'taker', ...(clientId !== undefined && { clientId }) };
}

/** Executes a combo, or says why not. */
export function placeCombo(
  state: State,
  effects: Effects,
  account: Account,
  request: NewCombo,
): ComboPlaced | ComboDeclined {
  const checked = checkCombo(state, account, request);
  if ('reason' in checked) return { status: 'rejected', reason: checked.reason };
  // Nothing below may fail.
  const { combo, plan } = checked;
  const { legs, qtyMicros, netMicros, terms } = combo;
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  if (terms.clientId !== undefined) state.clientIds.open(account.index, terms.clientId, id);
  effects.comboOpened({ id, account, legs, qtyMicros, netMicros, terms });
  const trades = plan === null ? [] : tradeLegs(state, effects, { combo, plan, id, signer: request.signer });
  const filledMicros = plan?.qtyMicros ?? ZERO;
  const isFilled = filledMicros === qtyMicros;
  closeOrder(state, effects, { id, account, terms, cause: isFilled ? 'filled' : 'ioc' });
  const status = isFilled ? 'filled' : filledMicros > 0 ? 'partial' : 'cancelled';
  return { status, orderId: id, trades, filledMicros };
}

interface Trading {
  readonly combo: SoundCombo;
  readonly plan: ComboPlan;
  readonly id: number;
  readonly signer: SignedBy;
}

/** The account was tested for exactly these fills, so a leg that comes out otherwise is a defect. */
function tradeLegs(state: State, effects: Effects, { combo, plan, id, signer }: Trading): LegTrade[] {
  const { account, terms } = combo;
  return combo.legs.flatMap(({ series, side, ratio }) => {
    const qtyMicros = toMicros(plan.qtyMicros * ratio);
    const order = { id, account, series, side, qtyMicros, limitMicros: null, signer, stp: terms.stp };
    const { trades, leftMicros } = match(state, effects, order);
    if (leftMicros > 0) throw new Error(`combo ${id} leaves ${leftMicros} of ${series.seriesId}`);
    return trades.map((trade) => ({ series, side, ...trade }));
  });
}
