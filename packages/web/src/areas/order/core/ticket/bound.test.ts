import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closingPrice, limitOf } from './bound.ts';

const touch = (bid: number, ask: number) => ({ bid, ask, mark: (bid + ask) / 2 });

describe('closingPrice', () => {
  it('goes 5 % beyond the best opposite price', () => {
    assert.equal(closingPrice('sell', touch(310, 320)), 294.5);
    assert.equal(closingPrice('buy', touch(310, 320)), 336);
  });

  it('rounds towards that price, so that the bound is never passed', () => {
    // 1.23 x 0.95 = 1.1685, 1.23 x 1.05 = 1.2915.
    assert.equal(closingPrice('sell', touch(1.23, 2)), 1.17);
    assert.equal(closingPrice('buy', touch(1, 1.23)), 1.29);
    // 0.0123 x 0.95 = 0.011685, 0.0123 x 1.05 = 0.012915.
    assert.equal(closingPrice('sell', touch(0.0123, 2)), 0.0117);
    assert.equal(closingPrice('buy', touch(0.01, 0.0123)), 0.0129);
  });

  it('takes the best price itself where 5 % of it is less than a step', () => {
    assert.equal(closingPrice('sell', touch(0.000_003, 1)), 0.000_003);
    assert.equal(closingPrice('buy', touch(0.000_001, 0.000_003)), 0.000_003);
  });

  it('has no price without a quote on that side', () => {
    assert.ok(Number.isNaN(closingPrice('sell', touch(Number.NaN, 320))));
    assert.ok(Number.isNaN(closingPrice('buy', touch(310, Number.NaN))));
  });
});

describe('the limit of a ticket', () => {
  it('is the best opposite price, or the bound of a close', () => {
    assert.equal(limitOf(touch(310, 320), { side: 'buy', isClosing: false }), 320);
    assert.equal(limitOf(touch(310, 320), { side: 'sell', isClosing: false }), 310);
    assert.equal(limitOf(touch(310, 320), { side: 'sell', isClosing: true }), 294.5);
    assert.ok(Number.isNaN(limitOf(null, { side: 'sell', isClosing: true })));
  });
});
