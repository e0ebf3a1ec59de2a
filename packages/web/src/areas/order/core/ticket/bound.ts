/** The limit of the ticket, and of a close: all of it at once, at a price that a thin book cannot run away from. */

import { decimalToMicros, MICROS_PER_UNIT, microsToDecimal } from '@venue/protocol';
import { parseAmount, priceFieldText } from '../../../../basics/numbers.ts';
import type { Side, Touch } from '../../../../market/touch.ts';
import { sideOf, type Ticket } from '../form/order.ts';

/** The limit of an order by the current touch: the best opposite price, or a close's bound beyond it. NaN without a quote. */
export function limitOf(
  touch: Touch | null,
  { side, isClosing }: Pick<Ticket, 'isClosing'> & { readonly side: Side },
): number {
  if (touch === null) return Number.NaN;
  if (isClosing) return closingPrice(side, touch);
  return side === 'buy' ? touch.ask : touch.bid;
}

/** How far beyond the best opposite price a close may trade. */
const BOUND_PERCENT = 5;
const MICROS_PER_CENT = MICROS_PER_UNIT / 100;

/**
 * The limit price of a close: 5 % beyond the best opposite price, rounded towards it to the cent, or where that is
 * under a dollar to a hundredth of a cent. NaN without such a price: there is nothing to trade with.
 *
 * @example closingPrice('sell', { bid: 310, ask: 320, mark: 315 }) // 294.5
 */
export function closingPrice(side: Side, touch: Touch): number {
  const micros = decimalToMicros(side === 'buy' ? touch.ask : touch.bid);
  if (micros === undefined || micros <= 0) return Number.NaN;
  const step = micros >= MICROS_PER_UNIT ? MICROS_PER_CENT : MICROS_PER_CENT / 100;
  // In whole numbers: 1.05 is no binary fraction.
  const bound = (micros * (100 + (side === 'buy' ? BOUND_PERCENT : -BOUND_PERCENT))) / 100;
  const steps = side === 'buy' ? Math.floor(bound / step) : Math.ceil(bound / step);
  const rounded = steps * step;
  // Rounding a price of a few micros could pass the best price itself, which then is the limit.
  const limit = side === 'buy' ? Math.max(micros, rounded) : Math.min(micros, rounded);
  return microsToDecimal(limit as typeof micros);
}

/** The limit of the ticket's order by a touch. */
export function ownLimit(ticket: Pick<Ticket, 'legs' | 'isClosing'>, touch: Touch | null): number {
  return limitOf(touch, { side: sideOf(ticket), isClosing: ticket.isClosing });
}

/** The bound of a close by the touch, as its field has it; null where the one that stands there stays. */
export function followedBound(ticket: Ticket, touch: Touch | null): string | null {
  const { isClosing, sending, price, cautions } = ticket;
  const limit = ownLimit(ticket, touch);
  if (touch === null || !isClosing || sending !== 'no' || Number.isNaN(limit)) return null;
  // A question is about the bound that it was asked with, while that can still trade.
  if (cautions.length > 0 && isWithin(price, sideOf(ticket), touch)) return null;
  const next = priceFieldText(limit);
  return next === price ? null : next;
}

/** True where a limit reaches the best opposite price. */
function isWithin(price: string, side: Side, touch: Touch): boolean {
  const typed = parseAmount(price);
  if (!typed.ok) return false;
  const limit = microsToDecimal(typed.micros);
  return side === 'buy' ? limit >= touch.ask : limit <= touch.bid;
}
