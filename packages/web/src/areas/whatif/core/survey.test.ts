import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Micros, parseSeriesId } from '@venue/protocol';
import type { Book, BookLine } from './book.ts';
import { callPoints, expiriesOf, heatTable, tableDates, tableSpots } from './survey.ts';
import { WhatIf } from './what-if.ts';

const AT_MS = Date.UTC(2026, 0, 5);
const DAY_S = 86_400;
const MILLION = 1_000_000;

/** `C105 -2`: right, strike and contracts, of an expiry so many days away. */
function lineOf(text: string, days = 10): BookLine {
  const [, right, strike, qty] = /^([CP])(\d+) (\S+)$/.exec(text)!;
  const seriesId = `X-${AT_MS / 1_000 + days * DAY_S}-${right}-${strike}`;
  return {
    ...parseSeriesId(seriesId)!,
    ...{ seriesId, restingSellMicros: 0, reserveMicros: 0, vol: 0.6, isLive: true },
    qtyMicros: Number(qty) * MILLION,
    markMicros: MILLION as Micros,
  };
}

function bookOf(lines: readonly BookLine[], cash = 100): Book {
  const cashMicros = (cash * MILLION) as Micros;
  const qty = lines.reduce((sum, { qtyMicros }) => sum + qtyMicros, 0);
  return {
    ...{ atMs: AT_MS, cashMicros, reservedMicros: 0 as Micros, unrealizedMicros: 0 as Micros },
    equityMicros: (cashMicros + qty) as Micros,
    marginMode: 'per-leg',
    premiumTerm: 'intrinsic',
    spots: { X: (100 * MILLION) as Micros },
    lines,
  };
}

describe('the dates of the heat table', () => {
  const daysOf = (...days: number[]) =>
    tableDates(bookOf(days.map((one) => lineOf('C100 1', one)))).map(({ days: at }) => at);

  it('are now, every expiry, and the middles of the longest times between them', () => {
    assert.deepEqual(daysOf(8), [0, 1, 2, 4, 6, 8]);
    assert.deepEqual(daysOf(2, 10), [0, 2, 4, 6, 8, 10]);
    assert.deepEqual(daysOf(1, 2, 3, 4, 5), [0, 1, 2, 3, 4, 5]);
  });

  it('of many expiries are six, the first and the last among them', () => {
    const dates = daysOf(1, 2, 3, 4, 5, 6, 7, 8, 30);
    assert.deepEqual([dates.length, dates[1], dates.at(-1)], [6, 1, 30]);
    assert.deepEqual(
      [...dates].sort((a, b) => a - b),
      dates,
    );
  });

  it('has moves of spot in standard deviations of the nearest expiry, within 30 % (TERM-13)', () => {
    const spotsOf = (...days: number[]) => tableSpots(bookOf(days.map((one) => lineOf('C100 1', one))));
    const steps = [-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3];
    const inSteps = (percent: number) => steps.map((step) => Math.round(step * percent * 100) / 10_000);
    assert.deepEqual(spotsOf(13 / 24), inSteps(2));
    assert.deepEqual(spotsOf(13 / 24, 90), inSteps(2));
    assert.deepEqual(spotsOf(7), inSteps(10));
    assert.deepEqual(spotsOf(400), inSteps(10));
    assert.deepEqual(tableSpots(bookOf([])), inSteps(10));
    assert.deepEqual(spotsOf(1 / 1_440), inSteps(0.1));
  });

  it('are none of a book of which nothing is to come', () => {
    const over = { ...lineOf('C100 1', -1), isLive: false };
    assert.deepEqual([tableDates(bookOf([over])), expiriesOf(bookOf([over]))], [[], []]);
    assert.deepEqual(tableDates(bookOf([])), []);
  });
});

describe('where an account would be liquidated', () => {
  const calls = (book: Book, days = 0) => callPoints(new WhatIf(book), { vol: 0, days });

  it('MAR-3: on the side on which its shorts lose, where equity falls under maintenance margin', () => {
    const whatIf = new WhatIf(bookOf([lineOf('C105 -2')], 60));
    const { up, down, isAtOnce } = callPoints(whatIf, { vol: 0, days: 0 });
    assert.deepEqual([down, isAtOnce], [null, false]);
    assert.ok(up !== null && up > 0.01 && up < 0.3, `${up}`);
    const at = (spot: number) => whatIf.outlook({ spot, vol: 0, days: 0 }).isCalled;
    assert.deepEqual([at(up), at(up - 0.000_1)], [true, false]);
  });

  it('on both sides, on none, and at once', () => {
    const both = calls(bookOf([lineOf('C105 -2'), lineOf('P95 -2')], 60));
    assert.ok(both.down! < 0 && both.up! > 0);
    const none = calls(bookOf([lineOf('C105 2')]));
    assert.deepEqual(none, { down: null, up: null, isAtOnce: false });
    const called = calls(bookOf([lineOf('C105 -2')], 10));
    assert.deepEqual(called, { down: null, up: null, isAtOnce: true });
  });

  it('nowhere once everything is paid out', () => {
    assert.deepEqual(calls(bookOf([lineOf('C105 -2')], 80), 11), { down: null, up: null, isAtOnce: false });
  });
});

describe('the heat table', () => {
  it('has nothing in the middle, and is called where the account would be', () => {
    const book = bookOf([lineOf('C105 -2')], 60);
    const spots = tableSpots(book);
    const table = heatTable(new WhatIf(book), { dates: tableDates(book), spots }, 0);
    assert.deepEqual([table.length, table[0]!.length], [6, 9]);
    const middle = spots.indexOf(0);
    assert.deepEqual(table[0]![middle], { change: 0, isCalled: false });
    assert.equal(table[0]!.at(-1)!.isCalled, true);
    // Paid at expiry: 2 x 5 at 110 against marks of 2 x 1 that were sold.
    assert.deepEqual(table.at(-1)![spots.indexOf(0.1)], { change: 2 - 10, isCalled: false });
  });
});
