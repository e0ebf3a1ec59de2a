/** Expiries that wait for two people, and the prices they may set. */

import type { AuditEntry, RefusedExpiry } from '@venue/protocol';
import { decimalToMicros, microsToDecimal } from '@venue/protocol';

/** An expiry without a settlement price, and its pending series. */
export interface Review {
  readonly symbol: string;
  readonly expiryTs: number;
  readonly series: readonly string[];
  /** Null where the venue gives no reason. */
  readonly refused: RefusedExpiry | null;
}

/** Pending series grouped by expiry, with the oracle's refusal. */
export function reviewsOf(
  pendingReview: readonly string[],
  refused: readonly RefusedExpiry[],
): readonly Review[] {
  const waiting = Map.groupBy(pendingReview, (seriesId) => seriesId.split('-').slice(0, 2).join('-'));
  return [...waiting].map(([key, series]) => {
    const [symbol = '', expiry = ''] = key.split('-');
    const expiryTs = Number(expiry);
    const found = refused.find((one) => one.symbol === symbol && one.expiryTs === expiryTs);
    return { symbol, expiryTs, series, refused: found ?? null };
  });
}

const BPS = 10_000;
/** The venue's default bound. */
const BOUND_BPS_DEFAULT = 100;

/**
 * How far a price may be from the anchor. Each recorded attempt states the bound; before the first, the default is
 * assumed.
 */
export function boundOf(audit: readonly AuditEntry[]): { bps: number; isKnown: boolean } {
  const bps = audit.findLast(({ boundBps }) => boundBps !== null)?.boundBps;
  return { bps: bps ?? BOUND_BPS_DEFAULT, isKnown: bps !== undefined };
}

export interface PriceRange {
  readonly from: number;
  readonly to: number;
}

/** The prices within a bound of the anchor, inclusive, to the micro. */
export function priceRange(anchor: number, boundBps: number): PriceRange {
  const micros = decimalToMicros(anchor) ?? Math.round(anchor * 1e6);
  const slack = Math.floor((micros * boundBps) / BPS);
  return { from: (micros - slack) / 1e6, to: (micros + slack) / 1e6 };
}

/** Deviation of a price from the anchor in basis points, positive above it. */
export function deviationBps(priceMicros: number, anchor: number): number {
  const price = microsToDecimal(priceMicros as Parameters<typeof microsToDecimal>[0]);
  return ((price - anchor) / anchor) * BPS;
}
