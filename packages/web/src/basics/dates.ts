/**
 * Formats expiries and other instants. Contracts end at 20:00 in New York, so they are named by New York's date, with
 * the reader's local time beside it. Each label calls `Intl` once.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NEW_YORK = 'America/New_York';
/** The settlement price is the average over this time before the cutoff. */
export const SETTLEMENT_WINDOW_MS = 30 * MINUTE_MS;

/** An instant in one time zone. */
export interface ZonedTime {
  /** `28 Nov` */
  readonly date: string;
  readonly year: number;
  /** `20:00` */
  readonly time: string;
  /** `EST`, `GMT+1` */
  readonly zone: string;
}

/**
 * Converts an instant (Unix ms) to a time zone, by default the reader's. Daylight saving is that of the instant, not of
 * today.
 */
export function zonedTime(ms: number, timeZone?: string): ZonedTime {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    date: `${part('day')} ${part('month')}`,
    year: Number(part('year')),
    time: `${part('hour')}:${part('minute')}`,
    zone: part('timeZoneName'),
  };
}

/** One instant here and in New York: `29 Nov 02:00 GMT+1` and `28 Nov 20:00 EST`. */
export function instantLabels(ms: number, localZone?: string): { local: string; newYork: string } {
  const label = ({ date, time, zone }: ZonedTime) => `${date} ${time} ${zone}`;
  return { local: label(zonedTime(ms, localZone)), newYork: label(zonedTime(ms, NEW_YORK)) };
}

/**
 * The name of an expiry (Unix seconds): New York's date, with the year unless it is the current one.
 *
 * @example expiryLabel(1764378000, Date.UTC(2025, 10, 1)) // '28 Nov'
 * @example expiryLabel(1764378000, Date.UTC(2024, 10, 1)) // '28 Nov 25'
 */
export function expiryLabel(expiryTs: number, nowMs: number): string {
  const { date, year } = newYorkTime(expiryTs * SECOND_MS);
  // Years change on a full hour, so the cache is keyed by hours.
  const { year: yearNow } = newYorkTime(Math.floor(nowMs / HOUR_MS) * HOUR_MS);
  return year === yearNow ? date : `${date} ${String(year % 100).padStart(2, '0')}`;
}

/**
 * Formats remaining time with its two largest units: `2d 03h`, `3h 12m`, and minutes with seconds under an hour,
 * `12:05`. `00:00` means that nothing is left.
 */
export function countdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)}d ${twoDigits(hours % 24)}h`;
  if (hours >= 1) return `${hours}h ${twoDigits(minutes % 60)}m`;
  return `${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
}

/** How near an expiry is; determines its colour and wording. */
export type TimeBand = 'over' | 'settlement-window' | 'hours' | 'days' | 'weeks';

/** The band of an expiry (Unix seconds), bounded at a day and a week; each bound belongs to the nearer band. */
export function timeBand(expiryTs: number, nowMs: number): TimeBand {
  const leftMs = expiryTs * SECOND_MS - nowMs;
  if (leftMs <= 0) return 'over';
  if (leftMs <= SETTLEMENT_WINDOW_MS) return 'settlement-window';
  if (leftMs <= DAY_MS) return 'hours';
  return leftMs <= 7 * DAY_MS ? 'days' : 'weeks';
}

export interface SettlementWindow {
  readonly opensMs: number;
  readonly closesMs: number;
  /** From 0 to 1. */
  readonly passed: number;
  readonly isOpen: boolean;
}

/** The half hour averaged into the settlement price, and the elapsed share of it, from 0 to 1 (ORA-1). */
export function settlementWindow(expiryTs: number, nowMs: number): SettlementWindow {
  const closesMs = expiryTs * SECOND_MS;
  const opensMs = closesMs - SETTLEMENT_WINDOW_MS;
  const passed = Math.min(1, Math.max(0, (nowMs - opensMs) / SETTLEMENT_WINDOW_MS));
  return { opensMs, closesMs, passed, isOpen: timeBand(expiryTs, nowMs) === 'settlement-window' };
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}

const formatters = new Map<string | undefined, Intl.DateTimeFormat>();

function formatterOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** More than are ever listed at once; beyond it the cache starts again. */
const REMEMBERED_MAX = 500;
const remembered = new Map<number, ZonedTime>();

/** Converts an instant (Unix ms) to New York's time. Remembered, as expiries are few and often asked for. */
export function newYorkTime(ms: number): ZonedTime {
  const known = remembered.get(ms);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const made = zonedTime(ms, NEW_YORK);
  remembered.set(ms, made);
  return made;
}
