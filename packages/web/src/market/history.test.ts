import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histories, PriceHistory } from './history.ts';

const T = 1_800_000_000;

test('one point per second, ascending: a later price in the same second replaces, an older one is dropped', () => {
  const history = new PriceHistory();
  assert.deepEqual(
    [
      history.add(T * 1_000 + 10, 100),
      history.add(T * 1_000 + 990, 101),
      history.add(T * 1_000 + 2_000, 102),
      history.add(T * 1_000 + 1_000, 99),
      history.add(T * 1_000 + 3_000, Number.NaN),
      history.add(T * 1_000 + 3_000, 0),
    ],
    [true, true, true, false, false, false],
  );
  assert.deepEqual(history.points, [
    { second: T, price: 101 },
    { second: T + 2, price: 102 },
  ]);
});

test('keeps the last hour of a day of prices', () => {
  const history = new PriceHistory();
  for (let i = 0; i < 86_400; i++) history.add((T + i) * 1_000, 100 + i);
  assert.ok(history.points.length >= 3_600 && history.points.length <= 4_000, `${history.points.length}`);
  assert.deepEqual(history.newest, { second: T + 86_399, price: 86_499 });
});

test('a stale spot is not a new price', () => {
  const histories = new Histories();
  histories.takeSpots([{ symbol: 'BTC', spot: 60_000, feedFresh: true }], T * 1_000);
  histories.takeSpots([{ symbol: 'BTC', spot: 60_000, feedFresh: false }], (T + 5) * 1_000);
  assert.deepEqual(histories.spots('BTC'), [{ second: T, price: 60_000 }]);
  assert.deepEqual(histories.spots('ETH'), []);
});
