/** The value of a series: surface, horizon and Black's formula together. */

import type { Right } from '@venue/protocol';
import { type Valuation, valueOption } from '@venue/protocol/black76';
import type { Horizon } from './horizon.ts';
import { type Slice, type Surface, sliceOf, volatilityAt } from './surface.ts';

/** The common basis for pricing all series of one expiry at a moment. */
export interface Basis {
  readonly forward: number;
  readonly gearing: number;
  readonly slice: Slice;
}

/** A move of the whole symbol away from its estimated value, as shares of spot and of volatility. */
export interface Shift {
  readonly spot: number;
  readonly vol: number;
}

export const NO_SHIFT: Shift = { spot: 0, vol: 0 };

/** Greeks per unit of spot, per 1.00 of volatility, and per year. */
export interface SeriesValue extends Valuation {
  readonly vol: number;
  /** Delta to the settlement price, which within the averaging window exceeds the delta to the spot. */
  readonly forwardDelta: number;
}

/** The shortest time for which a surface is evaluated: a second. */
const YEARS_MIN = 1 / (365 * 86_400);

/**
 * The basis of an expiry. A shift moves the forward as the spot would, and scales total variance, so that every
 * series stays on one arbitrage-free surface.
 */
export function basisOf(surface: Surface, spot: number, horizon: Horizon, shift: Shift = NO_SHIFT): Basis {
  const { forward, gearing, years } = horizon;
  const slice = sliceOf(surface, Math.max(YEARS_MIN, years), (1 + shift.vol) ** 2);
  return { forward: forward + gearing * spot * shift.spot, gearing, slice };
}

/** Value and greeks of a series. */
export function valueSeries(
  { forward, gearing, slice }: Basis,
  { right, strike }: { readonly right: Right; readonly strike: number },
): SeriesValue {
  const vol = volatilityAt(slice, Math.log(strike / forward));
  const value = valueOption({ right, forward, strike, years: slice.years, vol });
  return {
    price: value.price,
    delta: value.delta * gearing,
    gamma: value.gamma * gearing * gearing,
    vega: value.vega,
    theta: value.theta,
    vol,
    forwardDelta: value.delta,
  };
}
