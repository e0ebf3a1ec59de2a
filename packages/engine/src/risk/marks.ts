/** What a contract is worth now: the premium term of margin and the value of positions. */

import { type Micros, toMicros, ZERO } from '@venue/protocol';
import { BUY, SELL } from '../book/book.ts';
import type { Series } from '../state/series.ts';

/** Intrinsic value a contract at an underlying price. */
export function intrinsicMicros(series: Series, underlyingMicros: Micros): Micros {
  const inTheMoney =
    series.right === 'C' ? underlyingMicros - series.strikeMicros : series.strikeMicros - underlyingMicros;
  return inTheMoney > 0 ? toMicros(inTheMoney) : ZERO;
}

/**
 * What was paid for a settled series, intrinsic against the current spot for one that waits for review; else the
 * midpoint of the book rounded down, the price of its only side, or null when it is empty (NUM-5, MARK-1).
 */
export function markMicros(series: Series): Micros | null {
  if (series.status === 'settled') return series.payoutMicros;
  if (series.status === 'pending-review') return intrinsicMicros(series, series.instrument.spotMicros);
  const bid = series.book.bestPrice(BUY);
  const ask = series.book.bestPrice(SELL);
  if (Number.isNaN(bid)) return Number.isNaN(ask) ? null : toMicros(ask);
  if (Number.isNaN(ask)) return toMicros(bid);
  return toMicros(bid + Math.floor((ask - bid) / 2));
}

/** The mark that positions are valued at: zero when the book is empty. */
export function positionMarkMicros(series: Series): Micros {
  return markMicros(series) ?? ZERO;
}
