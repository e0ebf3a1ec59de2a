/**
 * The days on which the New York Stock Exchange is closed, or closes at 13:00, by its rules (SESS-OPEN): Rule 7.2 for
 * holidays, and the calendars of holidays and early closings that it announces for three years at a time.
 */

/** Its calendars are announced up to this year; the rules give every announced day since `FIRST_YEAR`. */
export const LAST_KNOWN_YEAR = 2027;
const FIRST_YEAR = 2014;
const JUNETEENTH_SINCE = 2022;

/** Closed for a day of mourning, by no rule. */
const UNSCHEDULED = ['2018-12-05', '2025-01-09'];

const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;
const SUNDAY = 7;

type Hours = 'closed' | 'early';

/** By the year, made when it is first asked for; the days by their ISO text. */
const years = new Map<number, ReadonlyMap<string, Hours>>();

/** True for a year whose holidays are known. */
export function isKnownYear(year: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_KNOWN_YEAR;
}

/** Hours of a day of a known year on which the exchange is closed or closes early; null for any other day. */
export function hoursOn(day: Temporal.PlainDate): Hours | null {
  if (!isKnownYear(day.year)) return null;
  const known = years.get(day.year) ?? daysOf(day.year);
  years.set(day.year, known);
  return known.get(day.toString()) ?? null;
}

/** Every weekday of a year that is no plain day. */
export function daysOf(year: number): ReadonlyMap<string, Hours> {
  const days = new Map<string, Hours>(earlyDays(year).map((day) => [day.toString(), 'early']));
  for (const day of holidays(year)) if (day !== null) days.set(day.toString(), 'closed');
  for (const day of UNSCHEDULED) if (day.startsWith(`${year}-`)) days.set(day, 'closed');
  return days;
}

function holidays(year: number): (Temporal.PlainDate | null)[] {
  return [
    newYear(year),
    nthOf(year, { month: 1, dayOfWeek: MONDAY, n: 3 }), // Martin Luther King, Jr. Day
    nthOf(year, { month: 2, dayOfWeek: MONDAY, n: 3 }), // Washington's Birthday
    easter(year).subtract({ days: 2 }), // Good Friday
    nthOf(year, { month: 6, dayOfWeek: MONDAY, n: 1 }).subtract({ days: 7 }), // Memorial Day: the last of May
    year >= JUNETEENTH_SINCE ? observed(year, 6, 19) : null,
    observed(year, 7, 4), // Independence Day
    nthOf(year, { month: 9, dayOfWeek: MONDAY, n: 1 }), // Labor Day
    thanksgiving(year),
    observed(year, 12, 25), // Christmas Day
  ];
}

/** Closes at 13:00 after Thanksgiving, and before Independence Day and Christmas from Monday to Thursday. */
function earlyDays(year: number): Temporal.PlainDate[] {
  const eves = [dayOf(year, 7, 3), dayOf(year, 12, 24)].filter(({ dayOfWeek }) => dayOfWeek <= THURSDAY);
  return [thanksgiving(year).add({ days: 1 }), ...eves];
}

/** One that falls on a Saturday is not observed, as the Friday before it ends a year of accounts. */
function newYear(year: number): Temporal.PlainDate | null {
  return dayOf(year, 1, 1).dayOfWeek === SATURDAY ? null : observed(year, 1, 1);
}

/** A holiday on a Saturday is observed on the Friday before, one on a Sunday on the Monday after. */
function observed(year: number, month: number, day: number): Temporal.PlainDate {
  const date = dayOf(year, month, day);
  if (date.dayOfWeek === SATURDAY) return date.subtract({ days: 1 });
  return date.dayOfWeek === SUNDAY ? date.add({ days: 1 }) : date;
}

function thanksgiving(year: number): Temporal.PlainDate {
  return nthOf(year, { month: 11, dayOfWeek: THURSDAY, n: 4 });
}

interface Nth {
  readonly month: number;
  readonly dayOfWeek: number;
  readonly n: number;
}

/** The nth of a day of the week in a month. */
function nthOf(year: number, { month, dayOfWeek, n }: Nth): Temporal.PlainDate {
  const first = dayOf(year, month, 1);
  return first.add({ days: ((dayOfWeek - first.dayOfWeek + 7) % 7) + 7 * (n - 1) });
}

/** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easter(year: number): Temporal.PlainDate {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leaps = Math.floor(century / 4);
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - leaps - shift + 15) % 30;
  const inCentury = year % 100;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * late + 114;
  return dayOf(year, Math.floor(days / 31), (days % 31) + 1);
}

function dayOf(year: number, month: number, day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from({ year, month, day });
}
