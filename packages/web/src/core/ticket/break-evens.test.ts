import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakEvenPlaces } from './break-evens.ts';

const point = (spot: number, atExpiry: number, today: number) => ({ spot, atExpiry, today });
const words = (points: readonly ReturnType<typeof point>[], breakEvens: readonly number[]) =>
  breakEvenPlaces({ points, breakEvens }).map(
    ({ isAbove, isLeft }) => `${isAbove ? 'above' : 'below'} ${isLeft ? 'left' : 'right'}`,
  );

test('a break-even is labelled where neither line passes: on the side of gains below zero, or of losses above', () => {
  const longCall = [point(90, -5, -4), point(105, 0, 2), point(120, 15, 16)];
  assert.deepEqual(words(longCall, [105]), ['below right']);
  const shortCall = longCall.map(({ spot, atExpiry, today }) => point(spot, -atExpiry, -today));
  assert.deepEqual(words(shortCall, [105]), ['above right']);
  const longPut = [point(80, 15, 16), point(95, 0, 2), point(110, -5, -4)];
  assert.deepEqual(words(longPut, [95]), ['below left']);
  const shortPut = longPut.map(({ spot, atExpiry, today }) => point(spot, -atExpiry, -today));
  assert.deepEqual(words(shortPut, [95]), ['above left']);
});
