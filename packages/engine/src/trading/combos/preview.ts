/** Previews a combo (CMB-3) as an order is previewed: by executing it on a copy of the few things that it touches. */

import { clampMicros, ExactSum, type Micros } from '@venue/protocol';
import { NO_EFFECTS } from '../../entry/effects.ts';
import type { Account } from '../../state/account.ts';
import type { State } from '../../state/state.ts';
import { amountsOf, Bill, copyFor, type OrderPreview } from '../preview.ts';
import { endEntry } from '../set-reserves.ts';
import type { ComboRequest } from './combo.ts';
import { type ComboDeclined, type ComboPlaced, placeCombo } from './place.ts';

export interface ComboPreview extends Omit<OrderPreview, 'outcome' | 'valueMicros'> {
  readonly outcome: ComboPlaced | ComboDeclined;
  /** What the fills cost before fees; negative if they bring in. */
  readonly costMicros: Micros;
}

/** Previews a combo at a time not before the log's, as if its client id were new. Does not change the state. */
export function previewCombo(state: State, account: Account, asked: ComboRequest, ts: number): ComboPreview {
  const { clientId: _, ...terms } = asked.terms;
  const now = { ...state, ts: Math.max(ts, state.ts) };
  // Marks of a model age, so that only amounts of one time differ by the combo alone.
  const before = amountsOf(now, account);
  const orders = asked.legs.map(({ seriesId, side, ratio }) => ({
    ...{ seriesId, side, priceMicros: null, terms },
    qtyMicros: asked.qtyMicros * ratio,
  }));
  const copy = copyFor(now, account, orders);
  const bill = new Bill();
  const outcome = placeCombo(copy.state, bill.effects, copy.account, { ...asked, terms, signer: null });
  endEntry(copy.state, NO_EFFECTS);
  const after = outcome.status === 'rejected' ? before : amountsOf(copy.state, copy.account);
  const costMicros = new ExactSum().add(clampMicros(bill.paid)).add(-clampMicros(bill.received)).clamped();
  return { outcome, costMicros, feeMicros: bill.feeMicros, before, after };
}
