/** Days as a date field of a form has them, `2025-11-28`, in the time zone of the reader. */

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

/** The first instant of the day after, in ms: not 24 hours later where clocks are changed. */
export function dayAfterMs(day: string): number {
  return midnightMs(day, 1);
}

function midnightMs(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).getTime();
}
