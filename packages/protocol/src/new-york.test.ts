import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newYorkDay } from './new-york.ts';

test('the day of an expiry is that of New York, in winter and in summer (LIST-4)', () => {
  assert.equal(newYorkDay(Date.UTC(2026, 10, 28, 1)), '2026-11-27');
  assert.equal(newYorkDay(Date.UTC(2026, 6, 4)), '2026-07-03');
  assert.equal(newYorkDay(9e15), '?');
});
