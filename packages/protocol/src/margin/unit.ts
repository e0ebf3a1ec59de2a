/** The margin of one short contract that no long covers (MAR-1), from the terms of its series and a spot. */

import type { SeriesTerms } from '../series.ts';
import { type Micros, mulDivCeil, toMicros, ZERO } from '../units.ts';

export interface MarginRates {
  /** Percent of spot. */
  readonly shock: number;
  /** Percent of strike. */
  readonly floor: number;
}

export const ENTRY_MARGIN: MarginRates = { shock: 20, floor: 10 };
export const MAINTENANCE_MARGIN: MarginRates = { shock: 12, floor: 6 };
const PERCENT = 100;

/** The terms of a series that its margin depends on. */
export type PayoffTerms = Pick<SeriesTerms, 'right' | 'strikeMicros'>;

/** Intrinsic value per contract at an underlying price. */
export function intrinsicMicros({ right, strikeMicros }: PayoffTerms, underlyingMicros: Micros): Micros {
  const inTheMoney = right === 'C' ? underlyingMicros - strikeMicros : strikeMicros - underlyingMicros;
  return inTheMoney > 0 ? toMicros(inTheMoney) : ZERO;
}

/** The share of spot, less what the contract is out of the money; it may be below zero. Rounded up. */
export function shockMicros(
  { right, strikeMicros }: PayoffTerms,
  spotMicros: Micros,
  { shock }: MarginRates,
): number {
  const away = right === 'C' ? strikeMicros - spotMicros : spotMicros - strikeMicros;
  return mulDivCeil(spotMicros, shock, PERCENT) - Math.max(away, 0);
}

/** The share of strike, rounded up. */
export function floorMicros({ strikeMicros }: PayoffTerms, { floor }: MarginRates): Micros {
  return mulDivCeil(strikeMicros, floor, PERCENT);
}

/** The margin added to the premium term: the larger of shock and floor. */
export function chargeMicros(series: PayoffTerms, spotMicros: Micros, rates: MarginRates): Micros {
  return toMicros(Math.max(shockMicros(series, spotMicros, rates), floorMicros(series, rates)));
}

/** The premium term: the mark, or no less than intrinsic value where the venue's parameters say so (MAR-1). */
export function premiumMicros(
  series: PayoffTerms,
  { spotMicros, markMicros }: { readonly spotMicros: Micros; readonly markMicros: Micros },
  term: 'mark' | 'intrinsic',
): Micros {
  if (term !== 'intrinsic') return markMicros;
  const intrinsic = intrinsicMicros(series, spotMicros);
  return markMicros > intrinsic ? markMicros : intrinsic;
}
