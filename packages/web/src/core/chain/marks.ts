/**
 * Which prices of what is held are known. The venue counts a contract that nobody quotes at zero (MARK-1): in its sums
 * that zero stays, but it is the price of nothing, and no profit or loss follows from it.
 */

import type { Position } from '@venue/protocol';

/**
 * The position with its mark and unrealised result as NaN where it has no mark. A contract in review has one: its value
 * if it were paid out now, which may well be zero.
 */
export function withKnownMark(position: Position, pendingReview: readonly string[]): Position {
  const isKnown = position.mark > 0 || pendingReview.includes(position.seriesId);
  return isKnown ? position : { ...position, mark: Number.NaN, unrealized: Number.NaN };
}

/** Sum of the unrealised results that are known; NaN where there are positions and none of them has a mark. */
export function quotedUnrealized(positions: readonly Position[]): number {
  const quoted = positions.filter(({ mark }) => !Number.isNaN(mark));
  if (quoted.length === 0 && positions.length > 0) return Number.NaN;
  return quoted.reduce((sum, { unrealized }) => sum + unrealized, 0);
}

/** How far the venue's equity tells what the account is worth, as it counts what nobody quotes at zero. */
export type EquityBound = 'exact' | 'at-least' | 'at-most' | 'about';

/** An unquoted long is worth more than the zero that stands for it, an unquoted short less. */
export function equityBound(positions: Iterable<Position>): EquityBound {
  const unquoted = [...positions].filter(({ mark }) => Number.isNaN(mark));
  if (unquoted.length === 0) return 'exact';
  if (unquoted.every(({ qty }) => qty > 0)) return 'at-least';
  return unquoted.every(({ qty }) => qty < 0) ? 'at-most' : 'about';
}
