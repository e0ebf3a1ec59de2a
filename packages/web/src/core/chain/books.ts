/** What a book comes to at its top. */

import type { Book } from '@venue/protocol';
import type { Touch } from '../stores.ts';

/** Best prices of a book; the mark as the venue has it: the middle, or the only side that is there. NaN where none is. */
export function touchOfBook({ bids, asks }: Pick<Book, 'bids' | 'asks'>): Touch {
  const bid = bids[0]?.price ?? Number.NaN;
  const ask = asks[0]?.price ?? Number.NaN;
  const mark = Number.isNaN(bid) ? ask : Number.isNaN(ask) ? bid : (bid + ask) / 2;
  return { bid, ask, mark };
}
