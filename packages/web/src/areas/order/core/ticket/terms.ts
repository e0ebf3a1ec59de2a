/** Parses the ticket's fields to an order. */

import { type Micros, microsToDecimal, type PlaceActionWire } from '@venue/protocol';
import { parseAmount, type TypedAmount } from '../../../../basics/numbers.ts';
import { tifOf, untilMs } from '../form/in-force.ts';
import type { Ticket } from '../form/order.ts';

/** A `place` of a batch, without the id that the client gives it. */
export type TicketTerms = Omit<PlaceActionWire, 'type' | 'clientId' | 'stp'>;

/** The ticket's order, or null while it is incomplete. What is the venue's default is left out. */
export function termsOf(ticket: Ticket): { terms: TicketTerms; qtyMicros: Micros } | null {
  const { kind, flag } = ticket;
  const [leg] = ticket.legs;
  const qty = positive(parseAmount(ticket.qty));
  const price = kind === 'market' ? null : positive(parseAmount(ticket.price));
  const tif = tifOf(ticket);
  const expiresAt = tif === 'gtd' ? untilMs(ticket.until) : null;
  if (leg === undefined || qty === null) return null;
  if ((kind === 'limit' && price === null) || (tif === 'gtd' && expiresAt === null)) return null;
  const terms: TicketTerms = {
    seriesId: leg.seriesId,
    side: leg.side,
    qty: microsToDecimal(qty),
    ...(price !== null && { price: microsToDecimal(price) }),
    ...(tif !== (kind === 'market' ? 'ioc' : 'gtc') && { tif }),
    ...(expiresAt !== null && { expiresAt }),
    ...(flag === 'post-only' && { postOnly: true }),
    ...(flag === 'reduce-only' && { reduceOnly: true }),
  };
  return { terms, qtyMicros: qty };
}

function positive(amount: TypedAmount): Micros | null {
  return amount.ok && amount.micros > 0 ? amount.micros : null;
}
