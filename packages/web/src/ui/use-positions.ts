/** The positions, without the marks of unquoted contracts. */

import type { Position } from '@venue/protocol';
import { useMemo } from 'react';
import { type EquityBound, equityBound, withKnownMark } from '../core/chain/marks.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';

/** The mark and unrealised result of an unquoted contract are NaN. */
export function usePositions(): readonly Position[] {
  const { stores } = useTerminal();
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const inReview = useStore(stores.listing, (listing) => listing.inReview);
  const riskMark = useStore(stores.link, (link) => link.riskMark);
  return useMemo(
    () => [...positions.values()].map((position) => withKnownMark(position, { inReview, riskMark })),
    [positions, inReview, riskMark],
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
export function equityNote(positions: readonly Position[]): EquityNote {
  const unquoted = positions.filter(({ mark }) => Number.isNaN(mark)).length;
  const sign = SIGNS[equityBound(positions)];
  if (unquoted === 0) return { sign, text: null };
  const what = unquoted === 1 ? '1 position that nobody quotes' : `${unquoted} positions that nobody quotes`;
  return { sign, text: `The venue counts ${what} as 0.00 in equity and margin.` };
}
