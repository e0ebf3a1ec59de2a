/** Formats times for traders. An expiry at 20:00 in New York is on the next day in UTC, so both are shown. */

import { newYorkDay } from '@venue/protocol';

const NEW_YORK = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `Fri 2026-11-27`, the day of an expiry in New York; `expiryTs` in unix seconds. */
export function expiryDay(expiryTs: number): string {
  return `${newYorkParts(expiryTs * 1_000).weekday} ${newYorkDay(expiryTs * 1_000)}`;
}

/**
 * An expiry in full, in unix seconds.
 *
 * @example expiryText(1795827600, now) // 'Fri 2026-11-27 20:00 New York = 2026-11-28 01:00 UTC, in 5d 23h'
 */
export function expiryText(expiryTs: number, nowMs: number): string {
  const { hour, minute } = newYorkParts(expiryTs * 1_000);
  const left = timeLeft(expiryTs * 1_000 - nowMs);
  const until = left === EXPIRED ? left : `in ${left}`;
  return `${expiryDay(expiryTs)} ${hour}:${minute} New York = ${utcMinute(expiryTs * 1_000)} UTC, ${until}`;
}

export const EXPIRED = 'expired';

/** The two largest units of the time left: `5d 23h`, `3h 12m`, `4m 10s`, or `expired`. */
export function timeLeft(ms: number): string {
  if (ms <= 0) return EXPIRED;
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)}d ${Math.floor((ms % DAY_MS) / HOUR_MS)}h`;
  if (ms >= HOUR_MS) return `${Math.floor(ms / HOUR_MS)}h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)}m`;
  return `${Math.floor(ms / MINUTE_MS)}m ${Math.floor((ms % MINUTE_MS) / 1_000)}s`;
}

/** `2026-11-28 01:00:05` in UTC. */
export function utcSecond(ms: number): string {
  return utcText(ms, 19);
}

/** `2026-11-28 01:00` in UTC. */
export function utcMinute(ms: number): string {
  return utcText(ms, 16);
}

function utcText(ms: number, length: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? String(ms) : time.toISOString().slice(0, length).replace('T', ' ');
}

function newYorkParts(ms: number): Record<string, string> {
  if (Number.isNaN(new Date(ms).getTime())) return { weekday: '?' };
  return Object.fromEntries(
    NEW_YORK.formatToParts(ms).map(({ type, value }) => [type, value.replace('.', '')]),
  );
}
