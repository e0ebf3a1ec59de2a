/** Says how the marks of an account come about: by the book, or by the model moved into the book (RSK-1, RSK-2). */

import type { MarginMarks, MarginReport } from '@venue/protocol';
import { formatPrice } from '../../../basics/numbers.ts';

type RiskMark = MarginReport['riskMark'];

/** How this venue marks, for the head of the list. */
export const HOW_MARKED: Readonly<Record<RiskMark, string>> = {
  book: 'This venue marks by the book: at the middle of the best bid and ask, or at the only one of them. With an empty book a contract counts as 0.00.',
  model:
    'This venue marks by a model: Black-76 at the spot and the newest volatility. If the impact bid, which is what the first contracts of the bids trade at, is above it, or the impact ask below it, the mark moves there, within a band. Without a volatility the mark is intrinsic.',
};

/** The mark that counts; by the book there is none in an empty book, though the venue counts zero. */
export function markOf({ risk, book }: MarginMarks, riskMark: RiskMark): number {
  return riskMark === 'book' && book === null ? Number.NaN : risk;
}

/** Which of its parts a mark by the model is at. */
export function markedAt({ iv, model, bid, ask, risk }: MarginMarks): string {
  if (iv === null || model === null) return 'intrinsic';
  if (risk === model) return 'model';
  if (risk === bid) return 'impact bid';
  if (risk === ask) return 'impact ask';
  const isBetween = risk > model ? bid !== null && bid > risk : ask !== null && ask < risk;
  if (isBetween) return 'edge of the band';
  // Never below intrinsic, and never above the most that the contract can pay.
  return risk > model ? 'intrinsic' : 'most it can pay';
}

/** A price of the list; unknown where the venue has none. */
export function partText(price: number | null): string {
  return formatPrice(price ?? Number.NaN);
}
