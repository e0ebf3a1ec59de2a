import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chain, TapePrint } from '@venue/protocol';
import { Histories, historySentence, PriceHistory, thinned, tradesOf } from './history.ts';
import { Market } from './market.ts';

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
  let told = 0;
  histories.subscribe(() => {
    told += 1;
  });
  histories.takeSpots([{ symbol: 'BTC', spot: 60_000, feedFresh: true }], T * 1_000);
  histories.takeSpots([{ symbol: 'BTC', spot: 60_000, feedFresh: false }], (T + 5) * 1_000);
  assert.deepEqual(histories.spots('BTC'), [{ second: T, price: 60_000 }]);
  assert.deepEqual([histories.spots('ETH'), told], [[], 2]);
});

const chain = (expiryTs: number, mid: number | null): Chain => ({
  symbol: 'BTC',
  expiryTs,
  spot: 60_000,
  sessionOpen: true,
  rows: [
    {
      strike: 60_000,
      call: {
        seriesId: `C${expiryTs}`,
        sid: 1,
        bid: null,
        ask: null,
        mid,
        iv: 0,
        delta: 0,
        openInterest: 0,
        volume: 0,
      },
      put: null,
    },
  ],
});

test('records marks of the chain on the screen, every five seconds for an hour', () => {
  const [histories, market] = [new Histories(), new Market()];
  const at = (second: number, expiryTs: number, mid: number | null) => {
    market.apply(chain(expiryTs, mid));
    histories.takeMarket(market, second * 1_000);
  };
  for (let i = 0; i < 4_000; i++) at(T + i, 1, 100 + i);
  assert.equal(histories.marks('C1').length, 720);
  assert.deepEqual(histories.marks('C1').at(-1), { second: T + 3_995, price: 4_095 });
  at(T + 4_000, 1, null);
  assert.equal(histories.marks('C1').length, 719);
  at(T + 4_001, 2, 7);
  assert.deepEqual([histories.marks('C1'), histories.marks('C2')], [[], [{ second: T + 4_001, price: 7 }]]);
});

test('trades of a contract: ascending, without duplicates, kept after they leave the tape', () => {
  const print = (seriesId: string, second: number, price: number): TapePrint => ({
    ...{ seriesId, price, qty: 1, side: 'buy' },
    ts: second * 1_000 + 5,
  });
  const first = tradesOf('A', [print('A', T + 3, 12), print('B', T + 2, 99), print('A', T, 10)], []);
  assert.deepEqual(first, [
    { second: T, price: 10 },
    { second: T + 3, price: 12 },
  ]);
  const next = tradesOf('A', [print('A', T + 9, 14), print('A', T + 3, 13), print('A', T + 3, 12)], first);
  assert.deepEqual(
    next.map(({ second, price }) => [second - T, price]),
    [
      [0, 10],
      [3, 13],
      [9, 14],
    ],
  );
});

test('summarised in words, and thinned for a table', () => {
  const points = Array.from({ length: 601 }, (_, i) => ({ second: T + i, price: 100 + Math.abs(300 - i) }));
  assert.equal(historySentence(points, String), '400 now, between 100 and 400 in the last 10 minutes.');
  assert.equal(historySentence([], String), 'Nothing has been seen yet.');
  assert.deepEqual(
    thinned(points, 4).map(({ second }) => second - T),
    [600, 400, 200, 0],
  );
  assert.deepEqual(thinned(points.slice(0, 1), 4), points.slice(0, 1));
});
