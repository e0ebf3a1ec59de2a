/** The two lines of the button that sends an order: what it does, and at which price and for how much money. */

import { microsToDecimal, type OrderPreviewAnswer } from '@venue/protocol';
import { formatExact, formatUsd, parseAmount, qtyFieldText } from '../../../../basics/numbers.ts';
import { forceText } from '../form/in-force.ts';
import { sideOf, type Ticket } from '../form/order.ts';
import { type TicketTerms, termsOf } from './terms.ts';

export interface SendWords {
  readonly what: string;
  readonly how: string;
}

/**
 * The ticket's button. Once something was asked, its first line is the answer.
 *
 * @param label of the contract
 * @example sendWords(ticket, 'BTC 28 Nov 95,000 call') // { what: 'Buy 1 BTC 28 Nov 95,000 call', how: 'at $1,240.00 · cost $1,246.20' }
 */
export function sendWords(ticket: Ticket, label: string): SendWords {
  const order = termsOf(ticket);
  const act = `${sideOf(ticket) === 'buy' ? 'Buy' : 'Sell'} ${amountText(ticket.qty, qtyFieldText)}`;
  const force = ticket.isClosing ? '' : forceText(ticket);
  const price = `${atText(ticket)}${force === '' ? '' : `, ${force}`}`;
  const how = `${price}${order === null ? '' : totalText(order.terms, ticket.preview)}`;
  if (ticket.cautions.length === 0) return { what: `${act} ${label}`, how };
  const what = ticket.isWithCancels ? 'Cancel resting, send anyway' : 'Send anyway';
  return { what, how: `${act} ${how}` };
}

/** @param paid what the account pays; below zero for what it receives */
export function moneyText(paid: number): string {
  return `${paid < 0 ? 'credit' : 'cost'} ${formatUsd(Math.abs(paid))}`;
}

/** A close trades at the market; its limit only bounds how far. */
function atText(ticket: Ticket): string {
  const { kind, isClosing, price } = ticket;
  const limit = amountText(price, (amount) => `$${formatExact(amount)}`);
  if (isClosing) return `at market, not ${sideOf(ticket) === 'buy' ? 'over' : 'under'} ${limit}`;
  return kind === 'market' ? 'at market' : `at ${limit}`;
}

/** Formats the amount as parsed, not as typed. */
function amountText(text: string, write: (amount: number) => string): string {
  const typed = parseAmount(text);
  return typed.ok && typed.micros > 0 ? write(microsToDecimal(typed.micros)) : '…';
}

/** The premium of the filling part and, if it fills, of the resting part, with the fee added or deducted. */
function totalText({ side, price }: TicketTerms, preview: OrderPreviewAnswer | null): string {
  if (preview === null) return '';
  const { cost, fee, restedQty } = preview;
  const premium = cost + (price ?? 0) * restedQty;
  return premium === 0 ? '' : ` · ${moneyText(side === 'buy' ? premium + fee : fee - premium)}`;
}
