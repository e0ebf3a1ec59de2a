/** The day by which an expiry is named: 20:00 in New York is on the next day in UTC. */

/**
 * The calendar day in New York of an instant in unix ms; `?` for a time that is none. Not for the engine: it depends on the
 * time-zone database (LIST-4).
 *
 * @example newYorkDay(1795827600 * 1_000) // '2026-11-27', in UTC one day later
 */
export function newYorkDay(ms: number): string {
  if (Number.isNaN(new Date(ms).getTime())) return '?';
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: 'America/New_York',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(ms);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)!.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}
