/** The price that an expiry settles near, while its last half hour is averaged (ORA-1). */

import { parseSeriesId } from '@venue/protocol';
import { SETTLEMENT_WINDOW_MS, settlementWindow } from '../basics/dates.ts';
import { formatPercent, formatPrice } from '../basics/numbers.ts';
import { windowEstimate } from './expiry-stage.ts';
import type { Histories } from './history.ts';

export interface SettlesNear {
  /** Dollars: the average at the cutoff if the price stays as it is. */
  readonly price: number;
  /** Share of the average that no move can change any more, from 0 to 1. */
  readonly fixedShare: number;
  /** Share of the elapsed window that the page has seen, from 0 to 1. */
  readonly seenShare: number;
}

export interface ExpiryMoment {
  readonly symbol: string;
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly nowMs: number;
}

/** Null before the half hour, after the cutoff, and while the page has seen no price of it. */
export function settlesNear(
  histories: Pick<Histories, 'spots'>,
  { symbol, expiryTs, nowMs }: ExpiryMoment,
): SettlesNear | null {
  const { isOpen, passed } = settlementWindow(expiryTs, nowMs);
  const estimate = isOpen ? windowEstimate(histories.spots(symbol), { expiryTs, nowMs }) : null;
  if (estimate === null) return null;
  return { price: estimate.ifUnchanged, fixedShare: passed, seenShare: estimate.seenShare };
}

/** The same of a contract's expiry; null for a name that is no series. */
export function seriesSettlesNear(
  histories: Pick<Histories, 'spots'>,
  { seriesId, nowMs }: { readonly seriesId: string; readonly nowMs: number },
): SettlesNear | null {
  const terms = parseSeriesId(seriesId);
  return terms === undefined ? null : settlesNear(histories, { ...terms, nowMs });
}

/**
 * @example settlesText(id, near) // 'Settlement estimate 96,548.89 (77% fixed): pays about 2,951.11'
 */
export function settlesText(seriesId: string, near: SettlesNear): string {
  const { price, fixedShare, seenShare } = near;
  const pays = paysAt(seriesId, price);
  const seen = seenWords(seenShare, fixedShare);
  const marks = `${formatPercent(fixedShare, 0)} fixed${seen === null ? '' : `, ${seen}`}`;
  const what = pays > 0 ? `about ${formatPrice(pays)}` : 'nothing';
  return `Settlement estimate ${formatPrice(price)} (${marks}): pays ${what}`;
}

/** Below this share of the window the page must say how much it has seen. */
const SEEN_MOST = 0.98;
const MINUTE_MS = 60_000;

/**
 * The part of the elapsed window that the page has seen, as `seen: 3 of 20 min`; null where it has seen it.
 *
 * @param passed share of the window that has elapsed, from 0 to 1
 */
export function seenWords(seenShare: number, passed: number): string | null {
  const elapsed = (passed * SETTLEMENT_WINDOW_MS) / MINUTE_MS;
  if (seenShare >= SEEN_MOST) return null;
  return `seen: ${Math.floor(seenShare * elapsed)} of ${Math.ceil(elapsed)} min`;
}

/** The question before a contract is sold that is in the money by the estimate; null for any other, or without one. */
export function soldInTheMoney(seriesId: string, near: SettlesNear | null): string | null {
  const pays = near === null ? 0 : paysAt(seriesId, near.price);
  if (near === null || pays === 0) return null;
  const fixed = `${formatPercent(near.fixedShare, 0)} of it fixed`;
  return `You sell what is in the money: it settles near ${formatPrice(near.price)}, ${fixed}, and pays about ${formatPrice(pays)}.`;
}

/** Dollars that a contract pays at a price of the underlying. */
function paysAt(seriesId: string, price: number): number {
  const terms = parseSeriesId(seriesId);
  if (terms === undefined) return 0;
  const strike = terms.strikeMicros / 1e6;
  return Math.max(0, terms.right === 'C' ? price - strike : strike - price);
}
