import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Leg } from '../../../market/market.ts';
import { interestOf, mostTraded } from './interest.ts';

test('bars are shares of the largest contract of the chain, calls and puts alike; the least of anything is seen', () => {
  const leg = (index: number) => ({ index }) as Leg;
  const legs = [leg(0), leg(1), leg(2)] as const;
  const rows = [
    { strike: 1, call: legs[0], put: legs[1] },
    { strike: 2, call: legs[2], put: null },
  ];
  const oi = [10, 40, 0.001];
  const volume = [Number.NaN, 0, 0];
  const shares = interestOf({ rows, legs }, ({ index }, column) => (column === 'oi' ? oi : volume)[index]!);
  assert.deepEqual(shares, [
    { oi: [0.25, 1], volume: [0, 0] },
    { oi: [0.05, 0], volume: [0, 0] },
  ]);
});

test('TERM-25: the most traded contracts are those with the largest volume, and none that nobody traded', () => {
  const volumes = [3, Number.NaN, 12, 0, 5];
  const legs = volumes.map((_, index) => ({ index }) as Leg);
  const found = (count: number) =>
    mostTraded(legs, ({ index }) => volumes[index]!, count).map(({ index }) => index);
  assert.deepEqual(found(2), [2, 4]);
  assert.deepEqual(found(9), [2, 4, 0]);
});
