/** Edits that need a confirmation, by the same rules as new orders. */

import type { OpenOrder } from '@venue/protocol';
import { type CautionFacts, cautionsOf } from '../ticket/caution.ts';
import type { OrderEdit } from './order-edit.ts';
import { readEdit } from './order-edit.ts';

export type EditFacts = Pick<CautionFacts, 'mark' | 'touch' | 'positions' | 'resting' | 'buyingPower'>;

/** Reasons to confirm an edit; none for one that only takes away. */
export function editCautions(edit: OrderEdit, facts: EditFacts): string[] {
  const read = readEdit(edit);
  if (read.kind !== 'change' || read.keepsPlace) return [];
  const { id, seriesId, side, remaining, price } = edit.order;
  const isBuy = side === 'buy';
  // A buy's money is known to the cent, and the venue frees what the order holds now. What a sell holds is not: only
  // what it would sell more is judged, with the positions that it adds to.
  const more = Math.max(0, read.remaining - remaining);
  return cautionsOf({
    ...facts,
    terms: { seriesId, side, qty: isBuy ? read.remaining : more, price: read.price },
    preview: null,
    positions: isBuy || more > 0 ? facts.positions : new Map(),
    resting: facts.resting.filter((order: OpenOrder) => order.id !== id),
    buyingPower: facts.buyingPower + (isBuy ? remaining * price : 0),
  });
}
