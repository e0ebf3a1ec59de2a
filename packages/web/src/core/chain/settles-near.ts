/** What an expiry settles near, while its last half hour is averaged (ORA-1). */

import { parseSeriesId } from '@venue/protocol';
import { settlementWindow } from '../dates.ts';
import { formatPercent, formatPrice } from '../numbers.ts';
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
  const seen = seenShare < SEEN_MOST ? `, this page saw ${formatPercent(seenShare, 0)} of it` : '';
  const what = pays > 0 ? `about ${formatPrice(pays)}` : 'nothing';
  return `Settlement estimate ${formatPrice(price)} (${formatPercent(fixedShare, 0)} fixed${seen}): pays ${what}`;
}

/** Below this share of the window the page must say how much it has seen. */
export const SEEN_MOST = 0.98;

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
