import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Position } from '@venue/protocol';
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
