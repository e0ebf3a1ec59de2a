/** Days in the format of a date field, `2025-11-28`, in the reader's time zone. */

/** The day of an instant in ms. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first instant of a day, in ms. */
export function dayMs(day: string): number {
  return midnightMs(day, 0);
}

/** The first instant of the next day, in ms: not always 24 hours later, because of daylight saving. */
export function dayAfterMs(day: string): number {
  return midnightMs(day, 1);
}

function midnightMs(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).getTime();
}
