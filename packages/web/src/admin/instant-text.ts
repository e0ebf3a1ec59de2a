/** Timestamps for operators, in UTC like their notes and logs. */

/** @example instantText(1764378000000) // '2025-11-29 01:00:00 UTC' */
export function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
