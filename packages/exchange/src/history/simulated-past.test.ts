import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, SPANS, type Span, type StoredCandle, startOf } from './candles.ts';
import { joined, SimulatedPast } from './simulated-past.ts';

const PROFILE = { symbol: 'BTC', annualVol: 0.55 };
/** Within a minute, a quarter of an hour and a day, so that intervals of each length are of both. */
const FIRST: StoredCandle = { t: 29_000_003, o: 95e9, h: 95.2e9, l: 94.9e9, c: 95.1e9, v: null };
const START = startOf(FIRST.t - 90 * DAY, DAY);
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1_000_000 };

const past = new SimulatedPast(FIRST, PROFILE);
const minutes = past.first(1, ALL);

test('HIS-5: the simulated past has every minute of 90 days, and leads up to the first price', () => {
  assert.deepEqual([minutes[0]!.t, minutes.at(-1)!.t], [START, FIRST.t - 1]);
  assert.equal(minutes.length, FIRST.t - START);
  assert.equal(minutes.at(-1)!.c, FIRST.o);
  for (const [i, { t, o, h, l, c, v, simulated }] of minutes.entries()) {
    const next = minutes[i + 1];
    const isSound =
      [o, h, l, c].every((price) => Number.isSafeInteger(price) && price > 0) &&
      h >= Math.max(o, c) &&
      l <= Math.min(o, c) &&
      v === null &&
      simulated === true &&
      (next === undefined || (next.o === c && next.t === t + 1));
    assert.ok(isSound, JSON.stringify(minutes.slice(i, i + 2)));
  }
});

test('HIS-5: its volatility is that of the simulated underlying', () => {
  const squares = minutes.map(({ o, c }) => Math.log(c / o) ** 2);
  const variance = (squares.reduce((sum, one) => sum + one, 0) / squares.length) * DAY * 365.25;
  assert.ok(Math.abs(Math.sqrt(variance) / PROFILE.annualVol - 1) < 0.02, String(Math.sqrt(variance)));
});

test('HIS-5: it is the same whenever it is computed, and another for another underlying', () => {
  assert.deepEqual(new SimulatedPast(FIRST, PROFILE).first(1, ALL), minutes);
  const other = new SimulatedPast(FIRST, { ...PROFILE, symbol: 'ETH' }).first(1, ALL);
  assert.notDeepEqual(other.slice(0, 5), minutes.slice(0, 5));
  assert.ok(
    past.joins(FIRST) && !past.joins({ ...FIRST, t: FIRST.t + 1 }) && !past.joins({ ...FIRST, o: 1 }),
  );
});

test('HIS-5: longer candles are made of the minutes, and each page of candles is a part of them all', () => {
  for (const span of SPANS) {
    const all = past.first(span, ALL);
    assert.deepEqual(all, fromMinutes(span));
    for (const from of [0, START + 7, FIRST.t - 20 * DAY + 1, FIRST.t - 9, FIRST.t, FIRST.t + DAY])
      for (const to of [START + 1, FIRST.t - 19 * DAY, FIRST.t - 1, FIRST.t + 60]) {
        const wanted = all.filter(({ t }) => t >= from && t < to);
        const page = { from, to, limit: 50 };
        assert.deepEqual(past.first(span, page), wanted.slice(0, 50), `${span} ${from} ${to}`);
        assert.deepEqual(past.newest(span, page).slice(-50), wanted.slice(-50), `${span} ${from} ${to}`);
      }
  }
});

test('HIS-5: the interval in which the market began is of past and file', () => {
  const day = startOf(FIRST.t, DAY);
  const stored = [
    { ...FIRST, t: day },
    { ...FIRST, t: day + DAY },
  ];
  const before = past.newest(DAY, { ...ALL, limit: 2 }).slice(-2);
  const [whole, both, after] = joined(before, stored);
  assert.deepEqual([whole, after], [before[0], stored[1]]);
  const { o, h, l } = before[1]!;
  const [high, low] = [Math.max(h, FIRST.h), Math.min(l, FIRST.l)];
  assert.deepEqual(both, { t: day, o, h: high, l: low, c: FIRST.c, v: null, simulated: true });
  assert.deepEqual(joined([], stored), stored);
  assert.deepEqual(joined(before, []), before);
});

function fromMinutes(span: Span): StoredCandle[] {
  const groups = Map.groupBy(minutes, ({ t }) => startOf(t, span));
  return [...groups].map(([t, group]) => ({
    ...{ t, o: group[0]!.o, c: group.at(-1)!.c, v: null, simulated: true },
    h: group.reduce((most, { h }) => Math.max(most, h), 0),
    l: group.reduce((least, { l }) => Math.min(least, l), Number.MAX_SAFE_INTEGER),
  }));
}
