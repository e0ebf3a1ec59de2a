/** What a contract is worth now: the premium term of margin and the value of positions. */

import { type Micros, toMicros, ZERO } from '@venue/protocol';
import { BUY, SELL } from './book.ts';
import type { Series } from './state.ts';

/** Intrinsic value a contract at an underlying price. */
export function intrinsicMicros(series: Series, underlyingMicros: Micros): Micros {
  const inTheMoney =
    series.right === 'C' ? underlyingMicros - series.strikeMicros : series.strikeMicros - underlyingMicros;
  return inTheMoney > 0 ? toMicros(inTheMoney) : ZERO;
}

/** The midpoint of the book rounded down, the price of its only side, or null when it is empty (NUM-5, MARK-1). */
export function markMicros(series: Series): Micros | null {
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
