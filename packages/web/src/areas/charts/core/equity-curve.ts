/** The equity of the account by the hour, as the venue's history has it, up to now. */

import type { EquityRow } from '@venue/protocol';
import type { TimedValue } from '../../../market/candles.ts';

export const HOUR_MS = 3_600_000;
/** Two months. */
const HOURS_KEPT = 1_500;

/**
 * A point an hour, oldest first: the history leaves out those with the equity of the hour before. The hour that has not
 * ended has the equity of now, in dollars, or that before it where it is unknown.
 */
export function equityCurve(
  rows: readonly EquityRow[],
  { equity, nowMs }: { readonly equity: number | null; readonly nowMs: number },
): TimedValue[] {
  const nowHour = nowMs - (nowMs % HOUR_MS);
  const known = new Map(rows.map(({ t, equity: value }) => [t, value]));
  if (equity !== null) known.set(nowHour, equity);
  const first = rows[0]?.t ?? nowHour;
  const points: TimedValue[] = [];
  let last = known.get(first);
  for (let t = first; t <= nowHour; t += HOUR_MS) {
    last = known.get(t) ?? last;
    if (last !== undefined) points.push({ t, value: last });
  }
  return points.slice(-HOURS_KEPT);
}

/** The newest value and the range of the hourly points, which say nothing of the time between them; null without any. */
export function hourlyWords(
  points: readonly TimedValue[],
  { format, time }: { readonly format: (value: number) => string; readonly time: (ms: number) => string },
): string | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const now = `${format(last.value)} now`;
  if (first === last) return `${now}. No hour before has been sampled.`;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${now}; of the points, one an hour since ${time(first.t)}, the lowest is ${format(low)} and the highest ${format(high)}.`;
}
