/** Volatility and greeks that a contract's price implies, as the venue's tickers have those of its mark (HIS-3). */

import { parseSeriesId } from '@venue/protocol';
import { greeksOf, greeksOfPayoff } from '@venue/protocol/greeks';
import { impliedVol } from '@venue/protocol/implied-vol';
import { minutesLeft, yearsOf } from '@venue/protocol/margin';
import type { Touch } from './touch.ts';

/** The spot in dollars, and the venue's time. */
export interface Moment {
  readonly spot: number;
  readonly nowMs: number;
}

/** NaN where there is no price. At or under intrinsic value, `iv` is NaN and the others are the payoff's (HIS-3). */
export interface PriceGreeks {
  readonly iv: number;
  readonly delta: number;
  /** For a dollar of the underlying. */
  readonly gamma: number;
  /** For a day. */
  readonly theta: number;
  /** For 0.01 of volatility. */
  readonly vega: number;
}

/** Greeks of the mark, with the volatilities that best bid and best ask imply. */
export interface LegGreeks extends PriceGreeks {
  readonly bidIv: number;
  readonly askIv: number;
}

const UNKNOWN: PriceGreeks = {
  iv: Number.NaN,
  delta: Number.NaN,
  gamma: Number.NaN,
  theta: Number.NaN,
  vega: Number.NaN,
};

/**
 * Time value that an option loses in a day, or until its expiry where that comes first: on its last day no day's worth
 * is left to lose.
 *
 * @param theta for a day
 */
export function thetaLeft(theta: number, leftMs: number): number {
  return theta * Math.min(1, Math.max(0, leftMs) / DAY_MS);
}

const DAY_MS = 24 * 3_600_000;

/** @param price in dollars, NaN for none */
export function greeksAt(seriesId: string, price: number, at: Moment): PriceGreeks {
  const terms = termsOf(seriesId, at);
  const vol = terms && impliedVol({ ...terms, price });
  if (terms === null) return UNKNOWN;
  if (vol === null) return price <= payoffOf(terms) ? { iv: Number.NaN, ...greeksOfPayoff(terms) } : UNKNOWN;
  return { iv: vol, ...greeksOf({ ...terms, vol }) };
}

/** In dollars. */
function payoffOf({ right, forward, strike }: NonNullable<ReturnType<typeof termsOf>>): number {
  return Math.max(0, right === 'C' ? forward - strike : strike - forward);
}

/** As a person reads them: theta until the expiry, where that is less than a day away. */
export function heldGreeks(seriesId: string, price: number, at: Moment): PriceGreeks {
  const greeks = greeksAt(seriesId, price, at);
  const leftMs = (parseSeriesId(seriesId)?.expiryTs ?? Number.NaN) * 1_000 - at.nowMs;
  return { ...greeks, theta: thetaLeft(greeks.theta, leftMs) };
}

export function legGreeks(seriesId: string, { bid, ask, mark }: Touch, at: Moment): LegGreeks {
  return {
    ...heldGreeks(seriesId, mark, at),
    bidIv: ivAt(seriesId, bid, at),
    askIv: ivAt(seriesId, ask, at),
  };
}

function ivAt(seriesId: string, price: number, at: Moment): number {
  const terms = termsOf(seriesId, at);
  return (terms && impliedVol({ ...terms, price })) ?? Number.NaN;
}

/** Whole minutes, rounded up, as the venue counts them. */
function termsOf(seriesId: string, { spot, nowMs }: Moment) {
  const terms = parseSeriesId(seriesId);
  if (terms === undefined) return null;
  const { right, strikeMicros, expiryTs } = terms;
  const years = yearsOf(minutesLeft({ cutoffMs: expiryTs * 1_000 }, nowMs));
  return { right, forward: spot, strike: strikeMicros / 1e6, years };
}
