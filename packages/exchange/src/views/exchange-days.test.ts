import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysOf, hoursOn, isKnownYear, LAST_KNOWN_YEAR } from './exchange-days.ts';

/**
 * The days as the exchange announced them: closed ones, then those on which it closes at 13:00. Announcements of
 * 2013 (for 2014 to 2016), of December 2021 (2022 to 2024) and of November 2024 (2025 to 2027); that of 9 January 2025
 * came ten days before.
 */
const ANNOUNCED: Readonly<Record<number, readonly [closed: string, early: string]>> = {
  2014: ['01-01 01-20 02-17 04-18 05-26 07-04 09-01 11-27 12-25', '07-03 11-28 12-24'],
  2015: ['01-01 01-19 02-16 04-03 05-25 07-03 09-07 11-26 12-25', '11-27 12-24'],
  2016: ['01-01 01-18 02-15 03-25 05-30 07-04 09-05 11-24 12-26', '11-25'],
  2022: ['01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26', '11-25'],
  2023: ['01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25', '07-03 11-24'],
  2024: ['01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25', '07-03 11-29 12-24'],
  2025: ['01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25', '07-03 11-28 12-24'],
  2026: ['01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25', '11-27 12-24'],
  2027: ['01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24', '11-26'],
};

describe('the days of the exchange (SESS-OPEN)', () => {
  for (const [year, [closed, early]] of Object.entries(ANNOUNCED)) {
    it(`are those that it announced for ${year}`, () => {
      const shown = (hours: string) =>
        [...daysOf(Number(year))]
          .filter(([, one]) => one === hours)
          .map(([day]) => day.slice(5))
          .sort()
          .join(' ');
      assert.deepEqual([shown('closed'), shown('early')], [closed, early]);
    });
  }

  it('are plain ones past the last year that it announced', () => {
    assert.equal(Math.max(...Object.keys(ANNOUNCED).map(Number)), LAST_KNOWN_YEAR);
    assert.deepEqual([isKnownYear(LAST_KNOWN_YEAR), isKnownYear(LAST_KNOWN_YEAR + 1)], [true, false]);
    const christmas = (year: number) => Temporal.PlainDate.from({ year, month: 12, day: 25 });
    assert.equal(hoursOn(christmas(2026)), 'closed');
    assert.equal(hoursOn(christmas(LAST_KNOWN_YEAR + 1)), null);
  });
});
