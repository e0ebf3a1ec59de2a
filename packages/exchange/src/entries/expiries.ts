/** The expiry instants that a maintenance tick proposes, each at 20:00 in New York (LIST-4). */

const TIME_ZONE = 'America/New_York';
const EXPIRY_TIME = Temporal.PlainTime.from('20:00');
const DAILIES = 7;
const WEEKLIES = 8;
const MONTHLY_HORIZON = { months: 3 };
const FRIDAY = 5;

/**
 * The expiries to list at an instant (unix ms): 7 dailies, 8 Fridays, and third Fridays up to three calendar months
 * ahead, as ascending unix seconds strictly in the future (FINE-5). The result depends on the time-zone database, so
 * the engine is given it and never computes it (LIST-4).
 *
 * @example expiryInstants(Date.now())[0] // the next 20:00 in New York
 */
export function expiryInstants(nowMs: number): number[] {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(TIME_ZONE).toPlainDate();
  const first = isFuture(today, nowMs) ? today : today.add({ days: 1 });
  const friday = first.add({ days: (FRIDAY - first.dayOfWeek + 7) % 7 });
  const dates = [
    ...Array.from({ length: DAILIES }, (_, days) => first.add({ days })),
    ...Array.from({ length: WEEKLIES }, (_, weeks) => friday.add({ weeks })),
    ...thirdFridays(first, today.add(MONTHLY_HORIZON)),
  ];
  const instants = dates.map(expiryOn).filter((ts) => ts !== undefined);
  return [...new Set(instants)].sort((a, b) => a - b);
}

function isFuture(date: Temporal.PlainDate, nowMs: number): boolean {
  const expiryTs = expiryOn(date);
  return expiryTs !== undefined && expiryTs * 1000 > nowMs;
}

/** Every third Friday between two dates, both included. */
function thirdFridays(from: Temporal.PlainDate, to: Temporal.PlainDate): Temporal.PlainDate[] {
  const found: Temporal.PlainDate[] = [];
  for (let month = from.toPlainYearMonth(); ; month = month.add({ months: 1 })) {
    const friday = thirdFridayOf(month);
    if (Temporal.PlainDate.compare(friday, to) > 0) return found;
    if (Temporal.PlainDate.compare(friday, from) >= 0) found.push(friday);
  }
}

function thirdFridayOf(month: Temporal.PlainYearMonth): Temporal.PlainDate {
  const first = month.toPlainDate({ day: 1 });
  return first.add({ days: ((FRIDAY - first.dayOfWeek + 7) % 7) + 14 });
}

/** Unix seconds of 20:00 on a date, or undefined if the clocks skip that time. */
function expiryOn(date: Temporal.PlainDate): number | undefined {
  const at = date.toZonedDateTime({ timeZone: TIME_ZONE, plainTime: EXPIRY_TIME });
  return at.toPlainTime().equals(EXPIRY_TIME) ? at.epochMilliseconds / 1000 : undefined;
}
