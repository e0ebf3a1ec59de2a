/**
 * Derives an order's immediate effect from the venue's preview (TERM-3): how much fills, at what average, and what
 * becomes of the rest.
 */

import { microsToDecimal, type OrderPreviewAnswer } from '@venue/protocol';
import { formatLimit, formatPercent, formatPrice, formatSize } from '../../../../basics/numbers.ts';
import { resultOf } from '../form/result.ts';
import type { TicketTerms } from './terms.ts';

export interface ForeseenOrder {
  readonly terms: TicketTerms;
  /** Null before the first. */
  readonly preview: OrderPreviewAnswer | null;
  /** Dollars, NaN without a quote. */
  readonly mark: number;
  /** True while the limit is only a close's bound beyond the touch. */
  readonly isClosing?: boolean;
}

/** Contracts that fill, rest and are cancelled, and the average price of the fills in dollars, NaN without any. */
export interface Foreseen {
  readonly filled: number;
  readonly average: number;
  readonly rested: number;
  readonly cancelled: number;
}

/** Null without a preview, or where the venue would decline the order. */
export function foreseen({ terms, preview }: Pick<ForeseenOrder, 'terms' | 'preview'>): Foreseen | null {
  if (preview === null || preview.status === 'rejected') return null;
  const result = resultOf(preview, terms);
  return {
    filled: microsToDecimal(result.filledMicros),
    average: result.averagePrice,
    rested: microsToDecimal(result.restedMicros),
    cancelled: microsToDecimal(result.cancelledMicros),
  };
}

/**
 * The order's effect in a sentence; null while unknown.
 *
 * @example foreseenText(order) // 'Fills 3.5 of 50 at 12.40 average, 1.8% above the mark; the rest is cancelled.'
 */
export function foreseenText(order: ForeseenOrder): string | null {
  const parts = foreseen(order);
  if (parts === null) return null;
  const { filled, rested, cancelled } = parts;
  const qty = order.preview?.qty ?? order.terms.qty;
  const price = order.terms.price === undefined ? '' : ` at ${formatLimit(order.terms.price)}`;
  if (filled === 0)
    return rested > 0 ? `No immediate fill; all of it rests${price}.` : 'No fill: it would be cancelled.';
  const share =
    rested + cancelled > 0 ? `${formatSize(filled)} of ${formatSize(qty)}` : `all ${formatSize(filled)}`;
  const rest =
    cancelled > 0 ? '; the rest is cancelled' : rested > 0 ? `; ${formatSize(rested)} rest${price}` : '';
  const cut = qty < order.terms.qty ? ` Cut to ${formatSize(qty)}: no more is left to reduce.` : '';
  if (order.isClosing === true && rested + cancelled === 0) return `${closeText(order, parts)}${cut}`;
  return `Fills ${share} at ${averageText(order, parts)}${rest}.${cut}`;
}

/** `Sells 1 at market, about 842.75, not under 803.70.` */
function closeText({ terms }: ForeseenOrder, { filled, average }: Foreseen): string {
  const [verb, bound] = terms.side === 'buy' ? ['Buys', 'over'] : ['Sells', 'under'];
  const limit = terms.price === undefined ? '' : `, not ${bound} ${formatLimit(terms.price)}`;
  return `${verb} ${formatSize(filled)} at market, about ${formatPrice(average)}${limit}.`;
}

function averageText({ preview, mark }: ForeseenOrder, { average }: Foreseen): string {
  const prices = new Set(preview?.fills.map(({ price }) => price));
  const text = `${formatPrice(average)}${prices.size > 1 ? ' average' : ''}`;
  if (!(mark > 0)) return text;
  const away = formatPercent(Math.abs(average / mark - 1));
  if (away === formatPercent(0)) return `${text}, at the mark`;
  return `${text}, ${away} ${average > mark ? 'above' : 'below'} the mark`;
}
