/** Timestamps for operators, in UTC like their notes and logs. */

/** @example instantText(1764378000000) // '2025-11-29 01:00:00 UTC' */
export function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** @example dayText(1764378000000) // '2025-11-29' */
export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
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
