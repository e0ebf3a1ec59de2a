/**
 * Distinguishes known marks from missing ones. The venue counts an unquoted contract at zero (MARK-1): its sums keep
 * that zero, but it is not a price, so no profit or loss follows from it.
 */

import type { OpenOrder, Position, Venue } from '@venue/protocol';
import { expiryKey } from './decisions.ts';

/** The facts that tell a mark of zero from none. */
export interface MarkSource {
  /** The expiries in review, by `expiryKey`. */
  readonly inReview: ReadonlySet<string>;
  readonly riskMark: Venue['riskMark'];
  /** The account's resting orders by series. */
  readonly orders?: ReadonlyMap<string, readonly Pick<OpenOrder, 'price'>[]>;
}

/** A position as it is shown. */
export interface Marked extends Position {
  /** True where the venue marks it by the account's own order, which is no price that anybody else gives. */
  readonly isOwnMark?: true;
}

/**
 * The position, with mark and unrealised result set to NaN where it has no mark. A contract in review has one: its
 * payout value if settled now, which may be zero; and so may be the mark by the model, which needs no quotes (RSK-2). A mark
 * by the book that is the price of an own order is that order, alone on its side and without another.
 */
export function withKnownMark(position: Position, { inReview, riskMark, orders }: MarkSource): Marked {
  const own = riskMark === 'book' && !inReview.has(expiryKey(position)) ? orders?.get(position.seriesId) : [];
  if (position.mark > 0 && own?.some(({ price }) => price === position.mark))
    return { ...position, mark: Number.NaN, unrealized: Number.NaN, isOwnMark: true };
  const isKnown = riskMark === 'model' || position.mark > 0 || inReview.has(expiryKey(position));
  return isKnown ? position : { ...position, mark: Number.NaN, unrealized: Number.NaN };
}

/** Sum of the known unrealised results; NaN when there are positions but none has a mark. */
export function quotedUnrealized(positions: readonly Position[]): number {
  const quoted = positions.filter(({ mark }) => !Number.isNaN(mark));
  if (quoted.length === 0 && positions.length > 0) return Number.NaN;
  return quoted.reduce((sum, { unrealized }) => sum + unrealized, 0);
}

/** How the venue's equity relates to the true value, given that it counts unquoted positions at zero. */
export type EquityBound = 'exact' | 'at-least' | 'at-most' | 'about';

/** An unquoted long is worth more than its zero, an unquoted short less. */
export function equityBound(positions: Iterable<Position>): EquityBound {
  const unquoted = [...positions].filter(({ mark }) => Number.isNaN(mark));
  if (unquoted.length === 0) return 'exact';
  if (unquoted.every(({ qty }) => qty > 0)) return 'at-least';
  return unquoted.every(({ qty }) => qty < 0) ? 'at-most' : 'about';
}
