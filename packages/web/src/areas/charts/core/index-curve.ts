/** The volatility index by the hour, up to now. */

import type { VolatilityRow } from '@venue/protocol';
import type { TimedValue } from '../../../market/candles.ts';

const HOUR_MS = 3_600_000;

/** A point for each hour with an index, oldest first, in percent; the hour that has not ended has that of now, if there is one. */
export function indexCurve(
  rows: readonly VolatilityRow[],
  { now, nowMs }: { readonly now: number | null; readonly nowMs: number },
): TimedValue[] {
  const hour = nowMs - (nowMs % HOUR_MS);
  const points = rows.map(({ t, index }) => ({ t, value: index }));
  if (now === null) return points;
  return [...points.filter(({ t }) => t < hour), { t: hour, value: now }];
}
