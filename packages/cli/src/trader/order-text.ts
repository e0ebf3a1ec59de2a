/** Formats orders for people: the cost of one, and its outcome. */

import type { OrderPreviewAnswer } from '@venue/protocol';
import type { Answered, OrderTerms, PlaceResult } from '@venue/sdk';
import { contracts, decimalText, EXACT_USD, usd } from '../terminal/numbers.ts';
import { plain } from '../terminal/plain.ts';
import { type Page, pairs } from '../terminal/table.ts';

/** `buy 0.1 BTC-… at no more than 500.00 USD`. */
export function termsText({ side, qty, seriesId, price }: OrderTerms): string {
  const limit = side === 'buy' ? 'no more' : 'no less';
  const at = price === undefined ? 'at the market' : `at ${limit} than ${usd(price)}`;
  return `${side} ${contracts(qty)} ${seriesId} ${at}`;
}

/** The effect of an order. */
export function previewText(terms: OrderTerms, preview: OrderPreviewAnswer, page: Page): string[] {
  const { status, reason, fills, restedQty, cost, fee, before, after } = preview;
  const isBuy = terms.side === 'buy';
  return pairs(
    [
      ['order', termsText(terms)],
      ['would be', reason === undefined ? status : `${status}: ${plain(reason)}`],
      ['fills', fills.length === 0 ? 'none' : fillsText(fills)],
      ['rests', restedQty > 0 ? contracts(restedQty) : null],
      [isBuy ? 'premium paid' : 'premium received', usd(cost)],
      ['fee', usd(fee)],
      [isBuy ? 'cash out' : 'cash in', usd(isBuy ? cost + fee : cost - fee)],
      ['locked', change(before.locked, after.locked)],
      ['buying power', change(before.buyingPower, after.buyingPower)],
    ],
    page,
  );
}

function change(before: number, after: number): string {
  return before === after ? usd(before) : `${usd(before)} -> ${usd(after)}`;
}

/** The outcome of an order. */
export function answerText(terms: OrderTerms, answer: Answered<PlaceResult>, page: Page): string[] {
  if (answer.status === 'rejected') return [];
  const { status, orderId, fills, restedQty, account } = answer;
  return pairs(
    [
      ['order', `${orderId}: ${termsText(terms)}`],
      ['status', status],
      ['fills', fills.length === 0 ? 'none' : fillsText(fills)],
      ['rests', restedQty > 0 ? `${contracts(restedQty)}; "venue cancel ${orderId}" takes it back` : null],
      ['cash', usd(account.cash)],
      ['buying power', usd(account.buyingPower)],
    ],
    page,
  );
}

function fillsText(fills: readonly { readonly price: number; readonly qty: number }[]): string {
  const shown = fills
    .slice(0, 5)
    .map(({ price, qty }) => `${contracts(qty)} at ${decimalText(price, EXACT_USD)}`);
  const more = fills.length > shown.length ? `, and ${fills.length - shown.length} more` : '';
  return `${shown.join(', ')} USD${more}`;
}
