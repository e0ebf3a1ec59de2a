import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticksOf } from './ticks.ts';

const cases: readonly [number, number, number, readonly number[], number][] = [
  [0, 10, 5, [0, 2, 4, 6, 8, 10], 0],
  [-3.2, 4.1, 4, [-2, 0, 2, 4], 0],
  [0.41, 0.63, 5, [0.45, 0.5, 0.55, 0.6], 2],
  [92_310, 98_950, 5, [94_000, 96_000, 98_000], 0],
  [0, 1, 4, [0, 0.25, 0.5, 0.75, 1], 2],
  [0, 9.5, 1, [0], 0],
  [0, 0.3, 3, [0, 0.1, 0.2, 0.3], 1],
];

for (const [low, high, about, values, decimals] of cases) {
  test(`from ${low} to ${high}, about ${about}`, () => {
    assert.deepEqual(ticksOf({ low, high }, about), { values, decimals });
  });
}

test('no tick is negative zero, and an empty range has one tick', () => {
  assert.ok(ticksOf({ low: -1, high: 1 }, 2).values.every((value) => !Object.is(value, -0)));
  assert.deepEqual(ticksOf({ low: 5, high: 5 }, 4).values, [5]);
});
