import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RefusedExpiry } from '@venue/protocol';
import { deviationBps, priceRange, reviewsOf } from './review.ts';

const REFUSED: RefusedExpiry = {
  symbol: 'ETH',
  expiryTs: 20,
  reason: 'too few fresh sources',
  refusedAt: 21_000,
  anchor: 3_000,
  sources: [],
  dispersionBps: null,
};

it("FINE-1: waiting series are grouped by expiry, each with the oracle's refusal", () => {
  const reviews = reviewsOf(['ETH-20-C-1', 'BTC-20-C-1', 'ETH-20-P-1'], [REFUSED]);
  assert.deepEqual(
    reviews.map(({ symbol, expiryTs, series, refused }) => [
      symbol,
      expiryTs,
      series.length,
      refused?.anchor,
    ]),
    [
      ['ETH', 20, 2, 3_000],
      ['BTC', 20, 1, undefined],
    ],
  );
});

it('FINE-1: both ends of the range for a hand settlement are allowed and rounded inwards', () => {
  assert.deepEqual(priceRange(3_000, 100), { from: 2_970, to: 3_030 });
  assert.deepEqual(priceRange(0.000333, 100), { from: 0.00033, to: 0.000336 });
  assert.equal(Math.round(deviationBps(3_030_000_000, 3_000)), 100);
});
