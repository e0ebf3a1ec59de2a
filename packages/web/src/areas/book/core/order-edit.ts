/** Editing a resting order in place: what was typed, as an amend of the order that the person saw (AMD-1). */

import { MICROS_PER_UNIT, type Micros, microsToDecimal, type OpenOrder } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';
import {
  faultText,
  formatExact,
  formatSize,
  parseAmount,
  priceFieldText,
  qtyFieldText,
} from '../../../basics/numbers.ts';
import type { AmendAction } from '../../../session/batches.ts';

/** An edit in progress. */
export interface OrderEdit {
  /** The order as it was when the person last looked at it: the edit holds only while no more of it has filled. */
  readonly order: OpenOrder;
  /** As typed; the quantity is the total, what is filled included. */
  readonly qty: string;
  readonly price: string;
}

export type ReadEdit =
  | { readonly kind: 'unreadable'; readonly fault: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'end'; readonly action: AmendAction }
  | {
      readonly kind: 'change';
      readonly action: AmendAction;
      /** Contracts that would rest. */
      readonly remaining: number;
      readonly price: number;
      /** True if it keeps its place in the queue: nothing but less of it at the same price. */
      readonly keepsPlace: boolean;
    };

export function editOf(order: OpenOrder): OrderEdit {
  return { order, qty: qtyFieldText(order.qty), price: priceFieldText(order.price) };
}

/** Contracts filled so far. */
export function filledOf({ qty, remaining }: Pick<OpenOrder, 'qty' | 'remaining'>): number {
  return (microsOf(qty) - microsOf(remaining)) / MICROS_PER_UNIT;
}

/** The terms of the edit; a total at or below what has filled ends the order. */
export function readEdit({ order, qty, price }: OrderEdit): ReadEdit {
  const [total, limit] = [parseAmount(qty), parseAmount(price)];
  const faults = [named('Quantity', faultText(total)), named('Limit price', faultText(limit))];
  const fault = faults.filter((text) => text !== null).join(' ');
  if (!total.ok || !limit.ok || fault !== '') return { kind: 'unreadable', fault };
  const isSameQty = total.micros === microsOf(order.qty);
  const isSamePrice = limit.micros === microsOf(order.price);
  if (isSameQty && isSamePrice) return { kind: 'unchanged' };
  const filled = filledOf(order);
  const remaining = Math.max(0, total.micros - microsOf(filled)) / MICROS_PER_UNIT;
  const action: AmendAction = {
    ...{ type: 'amend', orderId: order.id },
    ...(!isSameQty && { qty: microsToDecimal(total.micros) }),
    ...(!isSamePrice && { price: microsToDecimal(limit.micros) }),
    filledAtMost: filled,
  };
  if (remaining === 0) return { kind: 'end', action };
  const keepsPlace = isSamePrice && total.micros <= microsOf(order.qty);
  return { kind: 'change', action, remaining, price: microsToDecimal(limit.micros), keepsPlace };
}

/**
 * The effect of a press on the order, beside its button.
 *
 * @example effectText(edit) // '3 would rest at 12.50, behind all others at that price.'
 */
export function effectText(edit: OrderEdit): string {
  const read = readEdit(edit);
  switch (read.kind) {
    case 'unreadable':
      return read.fault;
    case 'unchanged':
      return 'Nothing is changed yet.';
    case 'end':
      return `${formatSize(filledOf(edit.order))} of it has filled already: this cancels the rest.`;
    case 'change': {
      const place = read.keepsPlace ? 'in its place in the queue' : 'behind all others at that price';
      return `${formatSize(read.remaining)} would rest at ${formatExact(read.price)}, ${place}.`;
    }
  }
}

/** Said when the order has changed under an edit, or null while the edit still speaks of the order as it is. */
export function staleText(edit: OrderEdit, now: OpenOrder): string | null {
  const { order } = edit;
  const more = microsOf(filledOf(now)) - microsOf(filledOf(order));
  if (more > 0) {
    const filled = formatSize(microsToDecimal(more as Micros));
    return `${filled} more of it has filled since you began: ${formatSize(filledOf(now))} of ${formatSize(now.qty)} now.`;
  }
  const isSame = microsOf(now.qty) === microsOf(order.qty) && microsOf(now.price) === microsOf(order.price);
  // The edit itself may be what changed it: the stream can be ahead of its answer.
  const isAsTyped = readEdit({ ...edit, order: now }).kind === 'unchanged';
  return isSame || isAsTyped
    ? null
    : `It was changed elsewhere: ${formatSize(now.qty)} at ${formatExact(now.price)} now.`;
}

function named(field: string, fault: string | null): string | null {
  return fault === null ? null : `${field}: ${fault}`;
}
