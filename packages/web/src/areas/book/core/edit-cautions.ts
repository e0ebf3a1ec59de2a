/** Edits that need a confirmation, by the same rules as new orders. */

import type { OpenOrder } from '@venue/protocol';
import { isFarDrop } from '../../../basics/far-drop.ts';
import { formatLimit, formatPrice } from '../../../basics/numbers.ts';
import { type CautionFacts, cautionsOf } from '../../order/core/ticket/cautions.ts';
import type { OrderEdit } from './order-edit.ts';
import { readEdit } from './order-edit.ts';

export type EditFacts = Pick<
  CautionFacts,
  'mark' | 'touch' | 'positions' | 'resting' | 'buyingPower' | 'settles'
> & {
  /** True for a price that a pointer has let go of, where a hand may have slipped (TERM-12). */
  readonly isDropped?: boolean;
};

/** A drop asks from here on, too: moved by such a share of its distance to the mark. */
const TO_MARK_SHARE = 0.5;

/** Reasons to confirm an edit; none for one that only takes away. */
export function editCautions(edit: OrderEdit, facts: EditFacts): string[] {
  const read = readEdit(edit);
  if (read.kind !== 'change' || read.keepsPlace) return [];
  const { id, seriesId, side, remaining, price } = edit.order;
  const isBuy = side === 'buy';
  // A buy's money is known to the cent, and the venue frees what the order holds now. What a sell holds is not: only
  // what it would sell more is judged, with the positions that it adds to.
  const more = Math.max(0, read.remaining - remaining);
  const further = cautionsOf({
    ...facts,
    terms: { seriesId, side, qty: isBuy ? read.remaining : more, price: read.price },
    preview: null,
    positions: isBuy || more > 0 ? facts.positions : new Map(),
    resting: facts.resting.filter((order: OpenOrder) => order.id !== id),
    buyingPower: facts.buyingPower + (isBuy ? remaining * price : 0),
  });
  const slip = facts.isDropped === true ? slipText(price, read.price, facts.mark) : null;
  return slip === null ? further : [slip, ...further];
}

/** The caution about a price that was dropped far from where the order rests, or null. */
function slipText(from: number, to: number, mark: number): string | null {
  const moved = to - from;
  const toMark = mark - from;
  const isTowards = moved * toMark > 0 && Math.abs(moved) > Math.abs(toMark) * TO_MARK_SHARE;
  if (!isFarDrop(from, to) && !isTowards) return null;
  const where = isTowards ? `, the mark is ${formatPrice(mark)}` : '';
  return `It moves from ${formatLimit(from)} to ${formatLimit(to)}${where}.`;
}
