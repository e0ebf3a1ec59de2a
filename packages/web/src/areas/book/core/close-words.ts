/** Closed orders in words: what became of each, and why it left the book (CID-2). */

import type { OrderRecord, PlainOrderRecord } from '@venue/protocol';
import { formatPrice, formatSize } from '../../../basics/numbers.ts';
import type { Side } from '../../../market/touch.ts';
import { FLAG_WORDS, TIF_WORDS } from '../../order/core/form/in-force.ts';
import { spreadName } from '../../order/core/tray/words.ts';

type Cause = NonNullable<OrderRecord['cause']>;

const WORDS: Readonly<Record<Cause, string>> = {
  filled: 'Filled',
  user: 'You cancelled it',
  ioc: 'IOC',
  stp: 'It met an order of your own',
  gtd: 'Its time was up',
  guard: 'Cancelled on disconnect',
  margin: 'Your buying power no longer covered it',
  settlement: 'The contract expired',
  liquidation: 'Pulled in your margin call',
};

/**
 * Why an order closed; with what had filled by then, if that is neither all nor nothing.
 *
 * @example closeWords(order) // 'You cancelled it, 2 of 5 filled'
 */
export function closeWords({
  cause,
  filledQty,
  qty,
}: Pick<OrderRecord, 'cause' | 'filledQty' | 'qty'>): string {
  // A newer venue may have causes of which this page has not heard.
  const why = cause === null ? 'Closed' : (WORDS[cause] ?? cause);
  if (cause === 'ioc' && filledQty === 0) return `${why}, nothing filled`;
  return filledQty > 0 && filledQty < qty
    ? `${why}, ${formatSize(filledQty)} of ${formatSize(qty)} filled`
    : why;
}

/** The order's terms beside side and price; empty for a plain limit or market order. */
export function termsWords({ tif, flag, price }: Pick<PlainOrderRecord, 'tif' | 'flag' | 'price'>): string {
  const isPlain = tif === (price === null ? 'ioc' : 'gtc');
  const words = [...(isPlain ? [] : [TIF_WORDS[tif]]), ...(flag === null ? [] : [FLAG_WORDS[flag]])];
  return words.join(', ');
}

/** The most that a unit of a combo may cost. */
export function limitOf(order: OrderRecord): number | null {
  return 'legs' in order ? order.net : order.price;
}

/** A combo has the name that traders have for its spread, or else is named by its legs. */
export function contractWords(order: OrderRecord, labelOf: (seriesId: string) => string): string {
  return 'legs' in order ? spreadName(order.legs, Date.now()).text : labelOf(order.seriesId);
}

/** The side of an order. A combo takes that of its spread's name: an iron condor for a credit is sold. */
export function sideOf(order: OrderRecord): Side {
  return 'legs' in order ? spreadName(order.legs, Date.now()).side : order.side;
}

/**
 * A price of the order: a combo's net says whether it is paid or received.
 *
 * @example priceWords(combo, -730, 2) // '730.00 credit'
 */
export function priceWords(order: OrderRecord, price: number, decimals: number): string {
  if (!('legs' in order)) return formatPrice(price, decimals);
  return `${formatPrice(Math.abs(price), decimals)} ${price < 0 ? 'credit' : 'debit'}`;
}
