/** Timestamps for operators, in UTC like their notes and logs; expiries by the names that traders have for them. */

import { expiryLabel, newYorkTime, zonedTime } from '../../basics/dates.ts';

/** @example instantText(1764378000000) // '29 Nov 2025 01:00:00 UTC' */
export function instantText(ms: number): string {
  const { date, year, time } = zonedTime(ms, 'UTC');
  return `${date} ${year} ${time}:${String(Math.floor(ms / 1_000) % 60).padStart(2, '0')} UTC`;
}

/** An expiry in Unix seconds, by New York's date. @example expiryText(1764378000, Date.UTC(2025, 10, 1)) // '28 Nov' */
export function expiryText(expiryTs: number, nowMs = Date.now()): string {
  return expiryLabel(expiryTs, nowMs);
}

/** The same with its cutoff. @example cutoffText(1764378000) // '28 Nov 2025 20:00 EST' */
export function cutoffText(expiryTs: number): string {
  const { date, year, time, zone } = newYorkTime(expiryTs * 1_000);
  return `${date} ${year} ${time} ${zone}`;
}

/** @example durationText(95_000) // '1 min 35 s' */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
