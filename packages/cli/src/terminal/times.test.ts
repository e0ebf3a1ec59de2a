import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryText, timeLeft, utcSecond } from './times.ts';

const WINTER = Date.UTC(2026, 10, 28, 1) / 1_000;
const SUMMER = Date.UTC(2026, 6, 4) / 1_000;

test('an expiry is shown in New York and UTC, with the time left', () => {
  assert.equal(
    expiryText(WINTER, (WINTER - 3_600) * 1_000),
    'Fri 2026-11-27 20:00 New York = 2026-11-28 01:00 UTC, in 1h 0m',
  );
  assert.equal(
    expiryText(SUMMER, SUMMER * 1_000),
    'Fri 2026-07-03 20:00 New York = 2026-07-04 00:00 UTC, expired',
  );
});

test('the time left has the two largest units', () => {
  assert.deepEqual([0, 61_000, 3_661_000, 90_000_000].map(timeLeft), ['expired', '1m 1s', '1h 1m', '1d 1h']);
});

test('an invalid time is shown as it came', () => {
  assert.equal(utcSecond(9e15), '9000000000000000');
  assert.match(expiryText(9e12, 0), /^\? \?/);
});
