import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../../base/command-error.ts';
import { boundOf, slippageOf } from './slippage.ts';
import { SLIPPAGE_PERCENT } from './slippage-default.ts';

const book = (bid: number, ask: number) => ({
  seriesId: 'BTC-1795827600-C-92000',
  bids: [{ price: bid, qty: 1 }],
  asks: [{ price: ask, qty: 1 }],
});

test('a bound is a percentage, or none', () => {
  for (const [text, parts] of [
    [SLIPPAGE_PERCENT, 50_000],
    ['0', 0],
    ['0.5', 5_000],
    ['0.0001', 1],
    ['100', 1_000_000],
    ['none', null],
  ] as const)
    assert.equal(slippageOf(text), parts);
  for (const text of ['', '-1', '101', '100.1', '5%', 'None', '0.00001', 'NaN'])
    assert.throws(
      () => slippageOf(text),
      (error) => error instanceof CommandError && error.exitCode === 2,
      text,
    );
});

test('the limit lies beyond the best opposite price, and never further than the bound', () => {
  for (const [side, bid, ask, percent, price] of [
    ['buy', 90, 100, '5', 105],
    ['sell', 90, 100, '5', 85.5],
    ['buy', 90, 100, '0', 100],
    // 0.000003 x 1.05 = 0.00000315, and 0.000003 x 0.95 = 0.00000285.
    ['buy', 0.000002, 0.000003, '5', 0.000003],
    ['sell', 0.000003, 0.000004, '5', 0.000003],
    ['sell', 90, 100, '100', 0.000001],
  ] as const)
    assert.equal(boundOf(book(bid, ask), side, slippageOf(percent)!).price, price, `${side} ${percent}`);
  assert.equal(boundOf(book(90, 100), 'buy', 50_000).words, '5 % above the best ask of 100.00');
  assert.equal(boundOf(book(90, 100), 'sell', 2_500).words, '0.25 % below the best bid of 90.00');
});

test('where nothing rests opposite, nothing is sent', () => {
  const empty = { ...book(1, 2), asks: [] };
  assert.throws(() => boundOf(empty, 'buy', 50_000), /nobody offers BTC-\S+ now: nothing was sent/);
  assert.equal(boundOf(empty, 'sell', 0).price, 1);
});
