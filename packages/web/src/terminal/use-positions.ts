/** The positions, without the marks of unquoted contracts. */

import { useMemo } from 'react';
import { type EquityBound, equityBound, type Marked, withKnownMark } from '../market/marks.ts';
import { useStore, useTerminal } from './terminal.ts';

/** The mark and unrealised result of an unquoted contract are NaN. */
export function usePositions(): readonly Marked[] {
  const { stores } = useTerminal();
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const orders = useStore(stores.holdings, (holdings) => holdings.orders);
  const inReview = useStore(stores.listing, (listing) => listing.inReview);
  const riskMark = useStore(stores.link, (link) => link.riskMark);
  return useMemo(
    () => [...positions.values()].map((position) => withKnownMark(position, { inReview, riskMark, orders })),
    [positions, inReview, riskMark, orders],
  );
}

const SIGNS: Readonly<Record<EquityBound, string>> = {
  exact: '',
  'at-least': '≥ ',
  'at-most': '≤ ',
  about: '≈ ',
};

export interface EquityNote {
  /** Prefix of the sum: whether the account is worth more or less than it. */
  readonly sign: string;
  /** Why, in a sentence; null where every position has a mark. */
  readonly text: string | null;
}

/** The note on an equity that counts unquoted positions as zero. */
export function equityNote(positions: readonly Marked[]): EquityNote {
  const own = positions.filter(({ isOwnMark }) => isOwnMark).length;
  const unquoted = positions.filter(({ mark }) => Number.isNaN(mark)).length - own;
  const counted = (count: number, what: string) =>
    `${count === 1 ? '1 position' : `${count} positions`} that ${what}`;
  const parts = [
    ...(unquoted > 0 ? [`${counted(unquoted, 'nobody quotes')} as 0.00`] : []),
    ...(own > 0 ? [`${counted(own, 'only your own order quotes')} at its price`] : []),
  ];
  // Of a mark of one's own nobody can tell whether it is too high.
  const sign = own > 0 ? SIGNS.about : SIGNS[equityBound(positions)];
  if (parts.length === 0) return { sign, text: null };
  return { sign, text: `The venue counts ${parts.join(', and ')} in equity and margin.` };
}
