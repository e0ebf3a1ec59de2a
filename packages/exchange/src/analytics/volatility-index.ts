/** The 30-day volatility index of an underlying (HIS-4). */

import { BUY, type Instrument, SELL, type Series, type State } from '@venue/engine';
import { chainsOf, type Expiry, MINUTES_PER_YEAR } from './chain.ts';
import { type QuotedStrike, varianceOf } from './variance.ts';

const TERM_MINUTES = 30 * 24 * 60;
const PERCENT = 100;

/** The variance of one expiry; null where it cannot be told. */
export interface TermVariance {
  readonly minutes: number;
  readonly variance: number | null;
}

/** The index of an underlying by what its books show, in percent; null where too few strikes are quoted. */
export function volatilityIndex(state: State, instrument: Instrument): number | null {
  const around = aroundTerm(chainsOf(state, instrument));
  return indexOf(
    around.map(({ minutes, strikes }) => ({
      minutes,
      variance: varianceOf(quotesOf(strikes), minutes / MINUTES_PER_YEAR),
    })),
  );
}

/** The last expiry within the term and the first beyond it; the nearest one where there are none on one side. */
export function aroundTerm<T extends { readonly minutes: number }>(expiries: readonly T[]): T[] {
  const live = expiries.filter(({ minutes }) => minutes > 0);
  const near = live.findLast(({ minutes }) => minutes <= TERM_MINUTES);
  const next = live.find(({ minutes }) => minutes > TERM_MINUTES);
  return [near, next].filter((one) => one !== undefined);
}

/**
 * The index of one or two expiries, in percent. Between two, total variance is a line in time; with one, its own variance
 * stands for the term.
 */
export function indexOf(terms: readonly TermVariance[]): number | null {
  const [near, next] = terms;
  if (near === undefined || near.variance === null || next?.variance === null) return null;
  const variance = next === undefined ? near.variance : between(near, next);
  return variance > 0 ? PERCENT * Math.sqrt(variance) : null;
}

function between(near: TermVariance, next: TermVariance): number {
  const share = (TERM_MINUTES - near.minutes) / (next.minutes - near.minutes);
  const total = near.minutes * near.variance! * (1 - share) + next.minutes * next.variance! * share;
  return total / TERM_MINUTES;
}

function quotesOf(strikes: Expiry['strikes']): QuotedStrike[] {
  return strikes.map(({ strikeMicros, call, put }) => ({
    strike: strikeMicros,
    call: middleOf(call),
    put: middleOf(put),
  }));
}

/** Unlike a mark, it takes both sides. */
function middleOf(series: Series | null): number | null {
  const bid = series?.book.bestPrice(BUY) ?? null;
  const ask = series?.book.bestPrice(SELL) ?? null;
  return bid === null || ask === null ? null : (bid + ask) / 2;
}
