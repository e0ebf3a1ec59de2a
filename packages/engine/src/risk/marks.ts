/** The current value of a contract by the contract's rules; `risk-marks.ts` has the mark that accounts are valued at. */

import { type Micros, toMicros } from '@venue/protocol';
import { intrinsicMicros, premiumMicros } from '@venue/protocol/margin';
import { BUY, SELL } from '../book/book.ts';
import type { Series } from '../state/series.ts';

/** A mark of a series, raised to intrinsic value at the current spot: a series that nobody quotes is marked at nothing. */
export function atLeastIntrinsicMicros(series: Series, mark: Micros): Micros {
  return premiumMicros(series, { spotMicros: series.instrument.spotMicros, markMicros: mark }, 'intrinsic');
}

/**
 * The payout of a settled series; intrinsic against the current spot for one in review; otherwise the midpoint of the
 * book, null if it is empty.
 */
export function markMicros(series: Series): Micros | null {
  if (series.status === 'settled') return series.payoutMicros;
  if (series.status === 'pending-review') return intrinsicMicros(series, series.instrument.spotMicros);
  return midMicros(series.book.bestPrice(BUY), series.book.bestPrice(SELL));
}

/** The midpoint of two best prices rounded down, the only one of them, or null without any (NUM-5, MARK-1). */
export function midMicros(bid: Micros | null, ask: Micros | null): Micros | null {
  if (bid === null || ask === null) return bid ?? ask;
  return toMicros(bid + Math.floor((ask - bid) / 2));
}
