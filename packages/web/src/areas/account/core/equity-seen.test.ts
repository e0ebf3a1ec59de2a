import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeenEquity, seenWords } from './equity-seen.ts';

const T = Date.UTC(2026, 10, 26, 12);
const words = { format: String, time: (ms: number) => `minute ${(ms - T) / 60_000}` };

function seen(...samples: readonly (readonly [seconds: number, equity: number])[]): SeenEquity {
  const all = new SeenEquity();
  for (const [seconds, equity] of samples) all.take('0xa', { equity, nowMs: T + seconds * 1_000 });
  return all;
}

test('HIS-4: what the page saw within a minute counts for its range, and the last of it for the line', () => {
  const minutes = seen([0, 130], [20, 90], [59, 100], [60, 95], [200, 97]).of('0xa');
  assert.deepEqual(
    minutes.map(({ t, low, high, last }) => [(t - T) / 60_000, low, high, last]),
    [
      [0, 90, 130, 100],
      [1, 95, 95, 95],
      [3, 97, 97, 97],
    ],
  );
  assert.equal(
    seenWords(minutes, words),
    '97 now; as this page has seen it, between 90 and 130 since minute 0.',
  );
});

test('HIS-4: the words claim no range that was not seen', () => {
  assert.equal(seenWords([], words), null);
  assert.equal(
    seenWords(seen([0, 5], [1, Number.NaN], [-60, 9]).of('0xa'), words),
    '5 now; as this page has seen it, always 5 since minute 0.',
  );
});

test('HIS-4: each account has its own minutes, the newest of a day, and the accounts seen last are kept', () => {
  const all = new SeenEquity();
  for (let i = 0; i < 3_000; i += 1) all.take('0xa', { equity: i, nowMs: T + i * 60_000 });
  assert.deepEqual([all.of('0xa').length, all.of('0xa')[0]?.last, all.of('0xb').length], [1_440, 1_560, 0]);
  for (let i = 0; i < 8; i += 1) all.take(`other ${i}`, { equity: 1, nowMs: T });
  assert.deepEqual([all.of('0xa').length, all.of('other 0').length], [0, 1]);
});
