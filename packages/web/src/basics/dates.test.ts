import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countdown, expiryLabel, instantLabels, settlementWindow, timeBand, zonedTime } from './dates.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 20:00 in New York on 28 November 2025, an hour of winter. */
const NOVEMBER_TS = Date.UTC(2025, 10, 29, 1) / 1_000;
/** The same hour in summer, on 12 June 2026. */
const JUNE_TS = Date.UTC(2026, 5, 13, 0) / 1_000;

describe('names of expiries', () => {
  test("uses New York's date even where the local date is already the next", () => {
    assert.equal(expiryLabel(NOVEMBER_TS, Date.UTC(2025, 10, 1)), '28 Nov');
    assert.equal(expiryLabel(JUNE_TS, Date.UTC(2026, 5, 1)), '12 Jun');
  });

  test("another year is included, by New York's clock", () => {
    assert.equal(expiryLabel(NOVEMBER_TS, Date.UTC(2024, 10, 1)), '28 Nov 25');
    // New York is five hours behind: until 05:00 UTC it is still 2025 there.
    assert.equal(expiryLabel(NOVEMBER_TS, Date.UTC(2026, 0, 1, 4, 59)), '28 Nov');
    assert.equal(expiryLabel(NOVEMBER_TS, Date.UTC(2026, 0, 1, 5)), '28 Nov 25');
    assert.equal(expiryLabel(Date.UTC(2109, 0, 2, 1) / 1_000, Date.UTC(2026, 0, 1)), '1 Jan 09');
  });

  test('expiries beyond the cache keep their names', () => {
    for (let day = 0; day < 1_200; day++) expiryLabel(NOVEMBER_TS + day * 86_400, 0);
    assert.equal(expiryLabel(NOVEMBER_TS, Date.UTC(2025, 10, 1)), '28 Nov');
  });
});

describe('instants', () => {
  test('here and in New York, in winter and in summer', () => {
    assert.deepEqual(instantLabels(NOVEMBER_TS * 1_000, 'Europe/Berlin'), {
      local: '29 Nov 02:00 GMT+1',
      newYork: '28 Nov 20:00 EST',
    });
    assert.deepEqual(instantLabels(JUNE_TS * 1_000, 'Asia/Kolkata'), {
      local: '13 Jun 05:30 GMT+5:30',
      newYork: '12 Jun 20:00 EDT',
    });
  });

  // Daylight saving of 2026 begins on 8 March at 07:00 UTC and ends on 1 November at 06:00 UTC.
  for (const [utc, time, zone] of [
    [Date.UTC(2026, 2, 8, 6, 59), '01:59', 'EST'],
    [Date.UTC(2026, 2, 8, 7), '03:00', 'EDT'],
    [Date.UTC(2026, 10, 1, 5, 30), '01:30', 'EDT'],
    [Date.UTC(2026, 10, 1, 6, 30), '01:30', 'EST'],
  ] as const) {
    test(`daylight saving: ${new Date(utc).toISOString()} is ${time} ${zone}`, () => {
      const shown = zonedTime(utc, 'America/New_York');
      assert.deepEqual([shown.time, shown.zone], [time, zone]);
    });
  }

  test('midnight is 00:00 of the new day', () => {
    const { date, time, year } = zonedTime(Date.UTC(2026, 0, 1, 5), 'America/New_York');
    assert.deepEqual([date, time, year], ['1 Jan', '00:00', 2026]);
  });

  test("without a zone it uses the machine's", () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    assert.deepEqual(zonedTime(NOVEMBER_TS * 1_000), zonedTime(NOVEMBER_TS * 1_000, timeZone));
  });
});

describe('time left', () => {
  for (const [leftMs, text] of [
    [2 * DAY + 3 * HOUR + 59 * MINUTE, '2d 03h'],
    [DAY, '1d 00h'],
    [DAY - 1_000, '23h 59m'],
    [3 * HOUR + 12 * MINUTE, '3h 12m'],
    [HOUR, '1h 00m'],
    [HOUR - 1_000, '59:59'],
    [12 * MINUTE + 5_000, '12:05'],
    [1, '00:01'],
    [0, '00:00'],
    [-5_000, '00:00'],
  ] as const) {
    test(`${leftMs} ms are ${text}`, () => assert.equal(countdown(leftMs), text));
  }

  test('a shorter time never shows as a longer one', () => {
    const worth = (text: string) => {
      const [, days = 0, dayHours = 0] = /^(\d+)d (\d\d)h$/.exec(text) ?? [];
      const [, hours = 0, hourMinutes = 0] = /^(\d+)h (\d\d)m$/.exec(text) ?? [];
      const [, minutes = 0, seconds = 0] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
      const [d, h, m] = [
        Number(days),
        Number(dayHours) + Number(hours),
        Number(hourMinutes) + Number(minutes),
      ];
      return ((d * 24 + h) * 60 + m) * 60 + Number(seconds);
    };
    const left = fc.integer({ min: 0, max: 100 * DAY });
    fc.assert(
      fc.property(left, fc.integer({ min: 0, max: 2 * DAY }), (a, more) => {
        assert.ok(worth(countdown(a)) <= worth(countdown(a + more)));
      }),
    );
  });

  test('bands, each bound in the nearer band', () => {
    const cutoffMs = NOVEMBER_TS * 1_000;
    for (const [leftMs, band] of [
      [0, 'over'],
      [1, 'settlement-window'],
      [30 * MINUTE, 'settlement-window'],
      [30 * MINUTE + 1, 'hours'],
      [DAY, 'hours'],
      [DAY + 1, 'days'],
      [7 * DAY, 'days'],
      [7 * DAY + 1, 'weeks'],
    ] as const) {
      assert.equal(timeBand(NOVEMBER_TS, cutoffMs - leftMs), band, `${leftMs} ms left`);
    }
  });

  test('ORA-1 the settlement window is the last half hour', () => {
    const cutoffMs = NOVEMBER_TS * 1_000;
    const at = (nowMs: number) => settlementWindow(NOVEMBER_TS, nowMs);
    assert.deepEqual(at(cutoffMs - 15 * MINUTE), {
      opensMs: cutoffMs - 30 * MINUTE,
      closesMs: cutoffMs,
      passed: 0.5,
      isOpen: true,
    });
    assert.deepEqual([at(cutoffMs - HOUR).isOpen, at(cutoffMs - HOUR).passed], [false, 0]);
    assert.deepEqual([at(cutoffMs).isOpen, at(cutoffMs).passed], [false, 1]);
  });
});
