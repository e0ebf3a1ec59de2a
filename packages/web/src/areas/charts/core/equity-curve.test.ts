import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equityCurve, HOUR_MS, hourlyWords } from './equity-curve.ts';

const T = Date.UTC(2026, 10, 25, 12);
const row = (hour: number, equity: number) => ({ t: T + hour * HOUR_MS, equity });
const curve = (rows: Parameters<typeof equityCurve>[0], equity: number | null, hour: number) =>
  equityCurve(rows, { equity, nowMs: T + hour * HOUR_MS + 60_000 }).map(({ t, value }) => [
    (t - T) / HOUR_MS,
    value,
  ]);

test('the hours that the history leaves out have the equity of the one before, the last that of now (HIS-4)', () => {
  assert.deepEqual(curve([row(0, 10), row(3, 12)], 9, 5), [
    [0, 10],
    [1, 10],
    [2, 10],
    [3, 12],
    [4, 12],
    [5, 9],
  ]);
  assert.deepEqual(curve([row(0, 10)], null, 1), [
    [0, 10],
    [1, 10],
  ]);
  assert.deepEqual(curve([row(0, 10), row(1, 11)], -3, 1), [
    [0, 10],
    [1, -3],
  ]);
});

test('an account without history has a point now, or none', () => {
  assert.deepEqual(curve([], 5, 0), [[0, 5]]);
  assert.deepEqual(curve([], null, 0), []);
});

test('a long history keeps its newest hours', () => {
  const points = curve([row(-10_000, 1)], 2, 0);
  assert.deepEqual([points.length, points[0], points.at(-1)], [1_500, [-1_499, 1], [0, 2]]);
});

test('HIS-4: the hourly points say that they are points, and not what was between them', () => {
  const words = (...values: readonly number[]) =>
    hourlyWords(
      values.map((value, i) => ({ t: T + i * HOUR_MS, value })),
      { format: String, time: (ms) => `hour ${(ms - T) / HOUR_MS}` },
    );
  assert.equal(words(), null);
  assert.equal(words(7), '7 now. No hour before has been sampled.');
  assert.equal(
    words(7, 12, 9),
    '9 now; of the points, one an hour since hour 0, the lowest is 7 and the highest 12.',
  );
});
