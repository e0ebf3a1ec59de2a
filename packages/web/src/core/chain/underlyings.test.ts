import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarginReport, Position } from '@venue/protocol';
import { locksOf } from '../locks.ts';
import { holdingsBySymbol } from './underlyings.ts';

test('positions add up by underlying, longs and shorts separately', () => {
  const position = (symbol: string, qty: number, mark: number, unrealized: number) =>
    ({ symbol, qty, mark, unrealized, realized: 1 }) as Position;
  const sums = holdingsBySymbol([
    position('ETH', 1, 5, 2),
    position('BTC', 2, 10, 3),
    position('BTC', -3, 4, -5),
  ]);
  assert.deepEqual(sums, [
    {
      symbol: 'BTC',
      positions: 2,
      unquoted: 0,
      longQty: 2,
      shortQty: 3,
      value: 8,
      unrealized: -2,
      realized: 2,
    },
    {
      symbol: 'ETH',
      positions: 1,
      unquoted: 0,
      longQty: 1,
      shortQty: 0,
      value: 5,
      unrealized: 2,
      realized: 1,
    },
  ]);
});

test('a position without a mark is counted, but left out of sums that need one', () => {
  const position = (qty: number, mark: number) =>
    ({ symbol: 'BTC', qty, mark, unrealized: mark - 5, realized: 1 }) as Position;
  assert.deepEqual(holdingsBySymbol([position(2, 10), position(-1, Number.NaN)]), [
    {
      symbol: 'BTC',
      positions: 2,
      unquoted: 1,
      longQty: 2,
      shortQty: 1,
      value: 20,
      unrealized: 5,
      realized: 2,
    },
  ]);
});

test('the lines of locked cash add up to the total', () => {
  const entry = { qty: 2, unit: 50, amount: 100 };
  const report = {
    series: [
      { seriesId: 'S', qty: -2, entry },
      { seriesId: 'T', qty: 1, entry: { qty: 1, unit: 7, amount: 7 } },
    ],
    orders: [
      { id: 1, seriesId: 'U', remaining: 3, price: 10, reserve: 30.15 },
      { id: 2, seriesId: 'T', remaining: 2, price: 9, reserve: 0 },
    ],
  } as unknown as MarginReport;
  const locks = locksOf(report);
  assert.deepEqual(
    locks.map(({ kind, amount }) => [kind, amount]),
    [
      ['short', 100],
      ['resting-buy', 30.15],
      ['resting-sell', 7],
    ],
  );
});
