import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogGrowth } from './log-growth.ts';

const MINUTE_MS = 60_000;

/** One entry of a body of 750 bytes a second, which is 1,000 bytes in the file, for that many minutes. */
function grown(minutes: number): { growth: LogGrowth; at: { ms: number } } {
  const at = { ms: 12_345 };
  const growth = new LogGrowth(() => at.ms);
  for (let second = 0; second < 60 * minutes; second++) {
    growth.add({ entries: 1, bytes: 750 });
    at.ms += 1_000;
  }
  return { growth, at };
}

test('LOG-5: the pace is that of the last hour, whenever the node started', () => {
  for (const minutes of [2, 30, 200]) {
    const { bytesPerDay } = grown(minutes).growth;
    assert.ok(Math.abs(bytesPerDay / 86_400_000 - 1) < 0.02, `${bytesPerDay} after ${minutes} minutes`);
  }
});

test('LOG-5: a start is no peak, and an hour of silence is none', () => {
  const growth = new LogGrowth(() => 5);
  growth.add({ entries: 10, bytes: 7_500 });
  assert.equal(growth.bytesPerDay, 10_000 * 24 * 60);
  const { growth: older, at } = grown(10);
  at.ms += 61 * MINUTE_MS;
  assert.equal(older.bytesPerDay, 0);
});
