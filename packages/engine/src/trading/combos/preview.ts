/** Previews a combo (CMB-3) as an order is previewed: by executing it on a copy of the few things that it touches. */

import { clampMicros, ExactSum, type Micros } from '@venue/protocol';
import type { Account } from '../../state/account.ts';
import type { State } from '../../state/state.ts';
import { foresee, type OrderPreview } from '../preview.ts';
import type { ComboRequest } from './combo.ts';
import { type ComboDeclined, type ComboPlaced, placeCombo } from './place.ts';

export interface ComboPreview extends Omit<OrderPreview, 'outcome' | 'valueMicros'> {
  readonly outcome: ComboPlaced | ComboDeclined;
  /** The cost of the fills before fees; negative if they bring in. */
  readonly costMicros: Micros;
}

/** Previews a combo at a time not before the log's, as if its client id were new. Does not change the state. */
export function previewCombo(
  state: State,
  account: Account,
  asked: Omit<ComboRequest, 'work' | 'risk'>,
  ts: number,
): ComboPreview {
  const { clientId: _, ...terms } = asked.terms;
  const orders = asked.legs.map(({ seriesId, side, ratio }) => ({
    ...{ seriesId, side, priceMicros: null, terms },
    qtyMicros: asked.qtyMicros * ratio,
  }));
  const { bill, ...foreseen } = foresee({ state, account, ts }, orders, (copy, effects, bounds) =>
    placeCombo(copy.state, effects, copy.account, { ...asked, terms, signer: null, ...bounds }),
  );
  const costMicros = new ExactSum().add(clampMicros(bill.paid)).add(-clampMicros(bill.received)).clamped();
  return { ...foreseen, costMicros, feeMicros: bill.feeMicros };
}
