/** Implied volatility at the money (HIS-4). */

import type { Series, State } from '@venue/engine';
import { impliedVol } from '@venue/protocol/implied-vol';
import { type Expiry, MINUTES_PER_YEAR, type Strike, shownMark } from './chain.ts';

/**
 * The volatility at which marks value options struck at the spot: on the line between the nearest strikes on either side,
 * each with the mean of what the marks of its call and its put imply. Null where neither strike has any.
 */
export function atmIv(state: State, spotMicros: number, { strikes, minutes }: Expiry): number | null {
  const below = strikes.findLast(({ strikeMicros }) => strikeMicros <= spotMicros);
  const above = strikes.find(({ strikeMicros }) => strikeMicros > spotMicros);
  const ivAt = (strike: Strike | undefined) =>
    strike === undefined ? null : ivOf(state, strike, { spotMicros, years: minutes / MINUTES_PER_YEAR });
  const [low, high] = [ivAt(below), ivAt(above)];
  if (low === null || high === null) return low ?? high;
  const share = (spotMicros - below!.strikeMicros) / (above!.strikeMicros - below!.strikeMicros);
  return low + (high - low) * share;
}

interface Moment {
  readonly spotMicros: number;
  readonly years: number;
}

function ivOf(state: State, { call, put }: Strike, moment: Moment): number | null {
  const ivs = [call, put].map((series) => (series === null ? null : ivOfMark(state, series, moment)));
  const known = ivs.filter((iv) => iv !== null);
  return known.length === 0 ? null : known.reduce((sum, iv) => sum + iv) / known.length;
}

function ivOfMark(state: State, series: Series, { spotMicros, years }: Moment): number | null {
  const mark = shownMark(state, series);
  if (mark === null) return null;
  const { right, strikeMicros: strike } = series;
  return impliedVol({ right, forward: spotMicros, strike, years, price: mark });
}
