/** Parses the ticket's fields to an order. */

import { type Micros, microsToDecimal, parseSeriesId } from '@venue/protocol';
import { parseAmount, type TypedAmount } from '../../../../basics/numbers.ts';
import { tifOf, untilMs } from '../form/in-force.ts';
import type { Ticket } from './state.ts';
import type { TicketTerms } from './ticket-terms.ts';

/** The ticket's order, or null while it is incomplete. What is the venue's default is left out. */
export function termsOf(ticket: Ticket): { terms: TicketTerms; qtyMicros: Micros } | null {
  const { seriesId, side, kind, flag } = ticket;
  const qty = positive(parseAmount(ticket.qty));
  const price = kind === 'market' ? null : positive(parseAmount(ticket.price));
  const tif = tifOf(ticket);
  const expiresAt = tif === 'gtd' ? untilMs(ticket.until) : null;
  if (seriesId === null || qty === null) return null;
  if ((kind === 'limit' && price === null) || (tif === 'gtd' && expiresAt === null)) return null;
  const terms: TicketTerms = {
    ...{ seriesId, side, qty: microsToDecimal(qty) },
    ...(price !== null && { price: microsToDecimal(price) }),
    ...(tif !== (kind === 'market' ? 'ioc' : 'gtc') && { tif }),
    ...(expiresAt !== null && { expiresAt }),
    ...(flag === 'post-only' && { postOnly: true }),
    ...(flag === 'reduce-only' && { reduceOnly: true }),
  };
  return { terms, qtyMicros: qty };
}

/** When a contract stops trading, in unix ms by the venue's clock; infinite where its id is invalid. */
export function cutoffMs(seriesId: string): number {
  const terms = parseSeriesId(seriesId);
  return terms === undefined ? Number.POSITIVE_INFINITY : terms.expiryTs * 1_000;
}

function positive(amount: TypedAmount): Micros | null {
  return amount.ok && amount.micros > 0 ? amount.micros : null;
}
