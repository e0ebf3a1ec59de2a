import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chain, FillRecord, Position } from '@venue/protocol';
import { payoffOf } from './payoff.ts';
import { feesOf, portfolioLegs } from './portfolio.ts';

const fill = (side: 'buy' | 'sell', qty: number, fee: number, seriesId = 'S') =>
  ({ seriesId, side, qty, fee }) as FillRecord;

const near = (fees: number, expected: number) =>
  assert.ok(Math.abs(fees - expected) < 1e-9, `${fees} is not ${expected}`);

test('fees count from the last time the position was flat', () => {
  // Newest first: the oldest fills are a completed round trip.
  const fills = [
    fill('buy', 2, 0.2),
    fill('buy', 1, 9, 'T'),
    fill('buy', 1, 0.1),
    fill('sell', 5, 5),
    fill('buy', 5, 5),
  ];
  near(feesOf({ seriesId: 'S', qty: 3 }, fills), 0.3);
});

test('of a fill that reversed the position, what it opened counts', () => {
  const fills = [fill('sell', 1, 0.1), fill('sell', 4, 0.4), fill('buy', 2, 7)];
  near(feesOf({ seriesId: 'S', qty: -3 }, fills), 0.3);
});

test('a fill that reduced the position takes its share of the fees along, and its own', () => {
  const bought = [fill('sell', 2, 0.25), fill('buy', 3, 0.5), fill('buy', 1, 9)];
  near(feesOf({ seriesId: 'S', qty: 2 }, bought), 4.75);
  const thousandths = [fill('buy', 0.1, 1), fill('buy', 0.2, 1), fill('sell', 0.3, 5), fill('buy', 0.3, 9)];
  near(feesOf({ seriesId: 'S', qty: 0.3 }, thousandths), 2);
  const more = [fill('buy', 1, 1), fill('sell', 1, 7), fill('buy', 2, 2)];
  near(feesOf({ seriesId: 'S', qty: 2 }, more), 2);
});

test('what was held before the known fills counts without a fee', () => {
  near(feesOf({ seriesId: 'S', qty: 3 }, [fill('sell', 1, 8), fill('buy', 2, 1)]), 0.75);
  assert.equal(feesOf({ seriesId: 'S', qty: 3 }, []), 0);
});

test('TERM-4: the payoff of what is left of a position carries no cost of what was closed', () => {
  const held = {
    ...{ symbol: 'BTC', seriesId: 'S', optType: 'call', strike: 97_000, expiryTs: 2 },
    ...{ qty: -0.1, avgPrice: 3_505 },
  } as Position;
  const fills = [fill('buy', 0.2, 3.55), fill('buy', 0.1, 1.78), fill('sell', 0.4, 7)];
  const legs = portfolioLegs([held], { symbol: 'BTC', fills, chainOf: () => null });
  const payoff = payoffOf(legs, { spot: 97_000, nowMs: 3_000 })!;
  near(payoff.best, 348.75);
  near(payoff.breakEvens[0]!, 100_487.5);
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
