import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { depthOf } from './depth.ts';

describe('depth', () => {
  test('each step holds the quantity at its price or better', () => {
    const bids = [
      { price: 3, qty: 0.1 },
      { price: 2.5, qty: 0.2 },
    ];
    const asks = [
      { price: 3.2, qty: 4 },
      { price: 3.3, qty: 1 },
    ];
    assert.deepEqual(depthOf({ bids, asks }), {
      bids: [
        { price: 3, qty: 0.1, total: 0.1, totalUsd: 0.3 },
        { price: 2.5, qty: 0.2, total: 0.3, totalUsd: 0.8 },
      ],
      asks: [
        { price: 3.2, qty: 4, total: 4, totalUsd: 12.8 },
        { price: 3.3, qty: 1, total: 5, totalUsd: 16.1 },
      ],
      most: 5,
    });
  });

  test("sums are exact in micros, and both sides share the larger side's scale", () => {
    const bids = [1.029872, 8.032269, 6.420282].map((qty, i) => ({ price: 3 - i, qty }));
    const { bids: steps, most } = depthOf({ bids, asks: [{ price: 4, qty: 1 }] });
    assert.deepEqual(
      steps.map(({ total }) => total),
      [1.029872, 9.062141, 15.482423],
    );
    assert.equal(most, 15.482423);
  });

  test('an empty book has no steps', () => {
    assert.deepEqual(depthOf({ bids: [], asks: [] }), { bids: [], asks: [], most: 0 });
  });
});
