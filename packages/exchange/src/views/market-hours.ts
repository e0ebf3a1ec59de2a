/** Trading hours of the primary markets: information for people, never a gate (SESS-OPEN). */

import type { AssetClass } from '@venue/engine';

const TIME_ZONE = 'America/New_York';
const SATURDAY = 6;
const OPEN_MINUTE = 9 * 60 + 30;
const CLOSE_MINUTE = 16 * 60;

/**
 * Returns whether the primary market of an asset class is open at an instant. The close itself is excluded; crypto
 * never closes.
 */
export function isMarketOpen(assetClass: AssetClass, nowMs: number): boolean {
  if (assetClass === 'crypto') return true;
  const { dayOfWeek, hour, minute } =
    Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(TIME_ZONE);
  const minuteOfDay = hour * 60 + minute;
  return dayOfWeek < SATURDAY && minuteOfDay >= OPEN_MINUTE && minuteOfDay < CLOSE_MINUTE;
}
