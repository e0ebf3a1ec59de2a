/** The touch of a book. */

import type { Book } from '@venue/protocol';
import type { Touch } from '../stores.ts';

/**
 * Best prices of a book, and its mark as the venue defines it: the midpoint, or the only side. NaN where there is none.
 */
export function touchOfBook({ bids, asks }: Pick<Book, 'bids' | 'asks'>): Touch {
  const bid = bids[0]?.price ?? Number.NaN;
  const ask = asks[0]?.price ?? Number.NaN;
  const mark = Number.isNaN(bid) ? ask : Number.isNaN(ask) ? bid : (bid + ask) / 2;
  return { bid, ask, mark };
}
