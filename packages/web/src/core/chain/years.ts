/** How long a contract's price still moves. */

import { SETTLEMENT_WINDOW_MS } from '../dates.ts';

const YEAR_MS = 365 * 24 * 3_600_000;

/**
 * Time over which a contract's price still moves, in years of 365 days. The venue settles on the average of the last
 * half hour, which has a third of the variance of its end: two thirds of that half hour do not count, and of what is
 * left within it one third does.
 */
export function yearsUntil(expiryTs: number, atMs: number): number {
  const leftMs = Math.max(0, expiryTs * 1_000 - atMs);
  const averagedMs = Math.min(leftMs, SETTLEMENT_WINDOW_MS);
  return (leftMs - (2 / 3) * averagedMs) / YEAR_MS;
}
