/** Parses the ticket's fields to an order. */

import { type Micros, microsToDecimal, parseSeriesId } from '@venue/protocol';
import type { OrderTerms } from '@venue/sdk/browser';
import { parseAmount, type TypedAmount } from '../numbers.ts';
import type { Ticket } from '../stores.ts';

/** The ticket's order, or null while it is incomplete. */
export function termsOf(ticket: Ticket): { terms: OrderTerms; qtyMicros: Micros } | null {
  const { seriesId, side, kind } = ticket;
  const qty = positive(parseAmount(ticket.qty));
  if (seriesId === null || qty === null) return null;
  const base = { seriesId, side, qty: microsToDecimal(qty) };
  if (kind === 'market') return { terms: base, qtyMicros: qty };
  const price = positive(parseAmount(ticket.price));
  return price === null ? null : { terms: { ...base, price: microsToDecimal(price) }, qtyMicros: qty };
}

/** When a contract stops trading, in unix ms by the venue's clock; infinite where its id is invalid. */
export function cutoffMs(seriesId: string): number {
  const terms = parseSeriesId(seriesId);
  return terms === undefined ? Number.POSITIVE_INFINITY : terms.expiryTs * 1_000;
}

function positive(amount: TypedAmount): Micros | null {
  return amount.ok && amount.micros > 0 ? amount.micros : null;
}
