/** Trading hours of the primary markets: information for people, never a gate (SESS-OPEN). */

import type { AssetClass } from '@venue/engine';
import { hoursOn, isKnownYear, LAST_KNOWN_YEAR } from './exchange-days.ts';

const TIME_ZONE = 'America/New_York';
const SATURDAY = 6;
const OPEN_MINUTE = 9 * 60 + 30;
const CLOSE_MINUTE = 16 * 60;
const EARLY_CLOSE_MINUTE = 13 * 60;
const LOOK_AHEAD = { months: 3 };

/**
 * Returns whether the primary market of an asset class is open at an instant. The close itself is excluded; crypto
 * never closes. Past the last year whose holidays are known, every weekday counts as a plain one.
 */
export function isMarketOpen(assetClass: AssetClass, nowMs: number): boolean {
  if (assetClass === 'crypto') return true;
  const now = inNewYork(nowMs);
  const minuteOfDay = now.hour * 60 + now.minute;
  if (now.dayOfWeek >= SATURDAY || minuteOfDay < OPEN_MINUTE || minuteOfDay >= CLOSE_MINUTE) return false;
  const hours = hoursOn(now.toPlainDate());
  return hours === null || (hours === 'early' && minuteOfDay < EARLY_CLOSE_MINUTE);
}

/**
 * Says that the holidays of the days to come are not known; null if they are, or if no market has any. It looks ahead, so
 * that a node which runs over the end of the last known year has said so at its start.
 */
export function unknownHolidays(assetClasses: Iterable<AssetClass>, nowMs: number): string | null {
  if ([...assetClasses].every((one) => one === 'crypto')) return null;
  if (isKnownYear(inNewYork(nowMs).add(LOOK_AHEAD).year)) return null;
  return `the holidays of the stock exchange are known up to ${LAST_KNOWN_YEAR}: on those of later years sessionOpen is true`;
}

function inNewYork(nowMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(TIME_ZONE);
}
