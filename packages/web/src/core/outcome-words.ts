/** What is said of an order that no answer came to, once it is known what became of it. */

import type { Findings } from '@venue/sdk/browser';
import { formatPrice, formatSize } from './numbers.ts';
import type { Notice } from './stores.ts';

/**
 * A card about a lost order, by what the venue had to say of it: filled, resting, declined or never placed.
 *
 * @param order in words: `Buy 1 BTC 28 Nov 95,000 call`
 */
export function lostOrderWords(found: Findings, order: string): Pick<Notice, 'tone' | 'title' | 'text'> {
  if (found.verdict !== 'carried out') {
    return {
      tone: 'warning',
      title: `Not placed: ${order}`,
      text: 'The order never reached the venue, and cannot any more. You can send it again.',
    };
  }
  const parts = [filledText(found), restingText(found)].filter((part) => part !== null);
  if (parts.length > 0)
    return { tone: 'good', title: order, text: `The answer got lost: ${parts.join(', ')}.` };
  return {
    tone: 'warning',
    title: `Nothing placed: ${order}`,
    text: 'The venue had the order, but nothing of it was filled and nothing rests: it was declined, or nobody met it.',
  };
}

function filledText({ fillsSince, likelyOrderIds }: Findings): string | null {
  const fills = fillsSince.filter(({ orderId }) => likelyOrderIds.includes(orderId));
  if (fills.length === 0) return null;
  const qty = fills.reduce((sum, fill) => sum + fill.qty, 0);
  const paid = fills.reduce((sum, fill) => sum + fill.price * fill.qty, 0);
  return `${formatSize(qty)} filled at ${formatPrice(paid / qty)}`;
}

function restingText({ account, likelyOrderIds }: Findings): string | null {
  const resting = account?.openOrders.filter(({ id }) => likelyOrderIds.includes(id)) ?? [];
  if (resting.length === 0) return null;
  const qty = resting.reduce((sum, { remaining }) => sum + remaining, 0);
  return `${formatSize(qty)} resting at ${formatPrice(resting[0]!.price)}`;
}
