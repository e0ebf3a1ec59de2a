import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strikeWindow } from './strike-window.ts';

const STRIKES = Array.from({ length: 63 }, (_, i) => 1_000 + 10 * i);

test('shows strikes around the spot, twenty per side (LIST-3)', () => {
  assert.deepEqual(strikeWindow(STRIKES, 1_304), [10, 51]);
  assert.deepEqual(strikeWindow(STRIKES, 1_306), [11, 52]);
});

test('near an end of the list there are fewer on that side', () => {
  assert.deepEqual(strikeWindow(STRIKES, 1_030), [0, 24]);
  assert.deepEqual(strikeWindow(STRIKES, 99_999), [42, 63]);
  assert.deepEqual(strikeWindow([90, 100], 95), [0, 2]);
  assert.deepEqual(strikeWindow([], 95), [0, 0]);
});

test('without a spot the middle is shown, not the lowest strike', () => {
  assert.deepEqual(strikeWindow(STRIKES, Number.NaN), [11, 52]);
});
