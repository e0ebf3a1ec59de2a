import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chain, FillRecord, Position } from '@venue/protocol';
import { feesOf, portfolioLegs } from './portfolio.ts';

const fill = (side: 'buy' | 'sell', qty: number, fee: number, seriesId = 'S') =>
  ({ seriesId, side, qty, fee }) as FillRecord;

test('fees count from the last time the position was flat', () => {
  // Newest first: the oldest fills are a completed round trip.
  const fills = [
    fill('buy', 2, 0.2),
    fill('buy', 1, 9, 'T'),
    fill('buy', 1, 0.1),
    fill('sell', 5, 5),
    fill('buy', 5, 5),
  ];
  assert.ok(Math.abs(feesOf({ seriesId: 'S', qty: 3 }, fills) - 0.3) < 1e-12);
});

test('a fill that reversed the position opened it', () => {
  const fills = [fill('sell', 1, 0.1), fill('sell', 4, 0.4), fill('buy', 2, 7)];
  assert.equal(feesOf({ seriesId: 'S', qty: -3 }, fills), 0.5);
});

test('a partly closed position keeps all its fees, and thousandths add up exactly', () => {
  assert.equal(
    feesOf({ seriesId: 'S', qty: 1 }, [fill('sell', 2, 0.25), fill('buy', 3, 0.5), fill('buy', 1, 9)]),
    0.75,
  );
  const parts = [fill('buy', 0.1, 1), fill('buy', 0.2, 1), fill('sell', 1, 9)];
  assert.equal(feesOf({ seriesId: 'S', qty: 0.3 }, parts), 2);
});

test('legs of one underlying with the volatility from their chain and the fees of their fills', () => {
  const position = (symbol: string, expiryTs: number, strike: number, qty = 1) =>
    ({
      ...{ symbol, expiryTs, strike, qty, avgPrice: 5 },
      optType: 'call',
      seriesId: `${expiryTs} ${strike}`,
    }) as Position;
  const chain = {
    rows: [{ strike: 90, put: null, call: { seriesId: '1 90', iv: 0.6 } }],
  } as unknown as Chain;
  const legs = portfolioLegs(
    [position('BTC', 2, 80), position('ETH', 1, 90), position('BTC', 1, 100), position('BTC', 1, 90, -2)],
    {
      symbol: 'BTC',
      fills: [fill('buy', 1, 0.7, '2 80')],
      chainOf: (expiryTs) => (expiryTs === 1 ? chain : null),
    },
  );
  assert.deepEqual(
    legs.map(({ expiryTs, strike, qty, iv, price, fee }) => [expiryTs, strike, qty, iv, price, fee]),
    [
      [1, 90, -2, 0.6, 5, 0],
      [1, 100, 1, 0, 5, 0],
      [2, 80, 1, 0, 5, 0.7],
    ],
  );
});
