/** The model's price of a contract (RSK-2). */

import { priceOption } from '../black76.ts';
import { type Micros, toMicros } from '../units.ts';
import type { PayoffTerms } from './unit.ts';

const MINUTE_MS = 60_000;
const MINUTES_PER_YEAR = 525_600;

/** Whole minutes to the cutoff, rounded up; none from the cutoff on, where the model is intrinsic. */
export function minutesLeft({ cutoffMs }: { readonly cutoffMs: number }, ts: number): number {
  return Math.max(0, Math.ceil((cutoffMs - ts) / MINUTE_MS));
}

/** Minutes as the model takes them, in years. */
export function yearsOf(minutes: number): number {
  return minutes / MINUTES_PER_YEAR;
}

/** Black-76 with the spot as forward, rounded down. */
export function modelPriceMicros(
  series: PayoffTerms,
  { spotMicros, years, vol }: { readonly spotMicros: Micros; readonly years: number; readonly vol: number },
): Micros {
  const { right, strikeMicros } = series;
  const price = priceOption({ right, forward: spotMicros, strike: strikeMicros, years, vol });
  return toMicros(Math.min(Math.floor(price), payoutMaxMicros(series, spotMicros)));
}

/** The upper bound of a contract's value: the underlying of a call, the strike of a put. */
export function payoutMaxMicros({ right, strikeMicros }: PayoffTerms, spotMicros: Micros): Micros {
  return right === 'C' ? spotMicros : strikeMicros;
}
