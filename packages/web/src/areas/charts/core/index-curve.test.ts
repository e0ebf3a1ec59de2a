import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexCurve } from './index-curve.ts';

const HOUR_MS = 3_600_000;
const rows = [
  { t: HOUR_MS, index: 60 },
  { t: 3 * HOUR_MS, index: 62 },
];

test('HIS-4: an hour without an index stays out, and the hour that has not ended has that of now', () => {
  const at = (now: number | null) => indexCurve(rows, { now, nowMs: 3 * HOUR_MS + 5 });
  assert.deepEqual(at(70), [
    { t: HOUR_MS, value: 60 },
    { t: 3 * HOUR_MS, value: 70 },
  ]);
  assert.deepEqual(at(null).at(-1), { t: 3 * HOUR_MS, value: 62 });
  assert.deepEqual(indexCurve([], { now: null, nowMs: 5 }), []);
});
