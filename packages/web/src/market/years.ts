/** The variance time left to a contract. */

import { SETTLEMENT_WINDOW_MS } from '../basics/dates.ts';

const YEAR_MS = 365 * 24 * 3_600_000;

/**
 * Time for which a contract's price still moves, in years of 365 days. The venue settles on the average of the last
 * half hour, whose variance is a third of that of its end: so two thirds of that half hour do not count, and within it
 * one third of the remaining time does.
 */
export function yearsUntil(expiryTs: number, atMs: number): number {
  const leftMs = Math.max(0, expiryTs * 1_000 - atMs);
  const averagedMs = Math.min(leftMs, SETTLEMENT_WINDOW_MS);
  return (leftMs - (2 / 3) * averagedMs) / YEAR_MS;
}
