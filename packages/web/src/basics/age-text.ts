import { UNKNOWN } from './numbers.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How old something is; –, if that is not known.
 *
 * @example ageText(1_400) // '1.4 s'
 */
export function ageText(ms: number): string {
  if (Number.isNaN(ms)) return UNKNOWN;
  const age = Math.max(0, ms);
  if (age < 10 * SECOND_MS) return `${(age / SECOND_MS).toFixed(1)} s`;
  if (age < 2 * MINUTE_MS) return `${Math.floor(age / SECOND_MS)} s`;
  if (age < 2 * HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < 2 * DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return `${Math.floor(age / DAY_MS)} days`;
}
