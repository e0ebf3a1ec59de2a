/** When and why a channel comes to its end, after which nothing changes in it any more (STR-5). */

import type { Instrument, Series } from '@venue/engine';

/** Settled, or waiting for a settlement by hand; `delisted` for an underlying that left with its last series. */
export type EndReason = 'settled' | 'pending-review' | 'delisted';

/** After its cutoff a series still has a book, until its expiry is decided. */
export function endOfSeries({ status }: Series): EndReason | null {
  return status === 'live' ? null : status;
}

/** The end of an expiry is that of its last series. Null also for one that was never listed. */
export function endOfExpiry({ series, decisions }: Instrument, expiryTs: number): EndReason | null {
  let isPending = false;
  for (const one of series) {
    if (one.expiryTs !== expiryTs) continue;
    if (one.status === 'live') return null;
    isPending ||= one.status === 'pending-review';
  }
  if (isPending) return 'pending-review';
  return decisions.has(expiryTs) ? 'settled' : null;
}

/** An underlying that is no longer in force goes on until its last series has settled. */
export function endOfUnderlying({ active, series }: Instrument): EndReason | null {
  return active || series.length > 0 ? null : 'delisted';
}
