/** The touch of a book, and the words for a contract without one. */

import type { Level } from '@venue/protocol';
import { ChannelEndedError } from '@venue/sdk/browser';
import type { Touch } from './touch.ts';

/** A book, best levels first. */
export interface Sides {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/**
 * Best prices of a book, and its mark as the venue defines it: the midpoint, or the only side. NaN if there is none.
 */
export function touchOfBook({ bids, asks }: Sides): Touch {
  const bid = bids[0]?.price ?? Number.NaN;
  const ask = asks[0]?.price ?? Number.NaN;
  const mark = Number.isNaN(bid) ? ask : Number.isNaN(ask) ? bid : (bid + ask) / 2;
  return { bid, ask, mark };
}

/** The line in place of a contract's book, which is being read or will not come any more. */
export function noBookText(label: string, error: Error | null): string {
  if (error === null) return `Reading the book of ${label}…`;
  return error instanceof ChannelEndedError
    ? `${label} has ended: it has no book.`
    : `The venue has no book of ${label}.`;
}
