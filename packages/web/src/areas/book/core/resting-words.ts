/** The terms of a resting order beside side and price (TIF-1 to TIF-3). */

import type { OpenOrder, StreamedOrder } from '@venue/protocol';
import { UNKNOWN } from '../../../basics/numbers.ts';
import { FLAG_WORDS, TIF_WORDS } from '../../order/core/form/in-force.ts';

/** The account's channels bring the terms; in an answer to a write an order has none. */
export type RestingOrder = OpenOrder & Partial<Pick<StreamedOrder, 'tif' | 'flag' | 'expiresAt'>>;

/**
 * Flag and time in force.
 *
 * @example restingWords({ ...order, tif: 'gtd', flag: 'post-only', expiresAt }, label) // 'Post-only, until 14:03:05'
 */
export function restingWords(order: RestingOrder, labelOf: (ms: number) => string): string {
  const { tif, flag, expiresAt } = order;
  if (tif === undefined || flag === undefined) return UNKNOWN;
  const time = tif === 'gtd' && expiresAt !== undefined ? `Until ${labelOf(expiresAt)}` : TIF_WORDS[tif];
  return flag === null ? time : `${FLAG_WORDS[flag]}, ${time.toLowerCase()}`;
}
