/** Parses lengths of time of the command line. */

import { usageError } from '../../base/command-error.ts';

const DURATION = /^(?:(\d{1,4})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;
const UNITS_MS = [86_400_000, 3_600_000, 60_000, 1_000] as const;

/**
 * A length of time in milliseconds, or null for another text.
 *
 * @example durationMs('1h30m') // 5400000
 */
export function durationMs(text: string): number | null {
  const found = text === '' ? null : DURATION.exec(text);
  if (found === null) return null;
  return UNITS_MS.reduce((sum, unit, i) => sum + Number(found[i + 1] ?? 0) * unit, 0);
}

/** A length of time within bounds; `what` names it in the refusal. */
export function durationOf(
  what: string,
  text: string,
  { minMs, maxMs }: { readonly minMs: number; readonly maxMs: number },
): number {
  const ms = durationMs(text);
  if (ms === null || ms < minMs || ms > maxMs)
    throw usageError(
      `${what} is a length of time from ${minMs / 1_000}s to ${maxMs / 60_000}m, not "${text}"`,
    );
  return ms;
}

/**
 * A length of time as the command line takes it.
 *
 * @example timeSpan(90_000) // '1m30s'
 */
export function timeSpan(ms: number): string {
  const parts = UNITS_MS.map((unit, i) => {
    const above = UNITS_MS[i - 1];
    const count = Math.floor((above === undefined ? ms : ms % above) / unit);
    return count === 0 ? '' : `${count}${'dhms'[i]}`;
  });
  return parts.join('') || '0s';
}
