import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeText, planClose } from './close-all.ts';

const [LOW, HIGH, FAR] = ['BTC-1-C-90000', 'BTC-1-C-95000', 'BTC-2-P-80000'];

describe('closing every position', () => {
  it('BAT-2: is one reduce-only order each, bounded, of which nothing rests, and shorts come first', () => {
    const plan = planClose(
      [
        { seriesId: LOW!, qty: 2 },
        { seriesId: HIGH!, qty: -3 },
      ],
      [
        { seriesId: LOW!, bid: 310, ask: 320 },
        { seriesId: HIGH!, bid: 90, ask: 100 },
      ],
    );
    const always = { tif: 'ioc', reduceOnly: true };
    assert.deepEqual(plan, {
      orders: [
        { seriesId: HIGH, side: 'buy', qty: 3, price: 105, ...always },
        { seriesId: LOW, side: 'sell', qty: 2, price: 294.5, ...always },
      ],
      unquoted: [],
      left: 0,
    });
    assert.equal(closeText(plan.orders[1]!, String), 'Sell 2 BTC-1-C-90000 at 294.50 or more');
  });

  it('names what nobody quotes, and leaves what one batch does not take', () => {
    const quotes = [{ seriesId: LOW!, bid: null, ask: 320 }];
    const held = [LOW, FAR].map((seriesId) => ({ seriesId: seriesId!, qty: 1 }));
    assert.deepEqual(planClose(held, quotes), { orders: [], unquoted: [LOW, FAR], left: 0 });
    const many = Array.from({ length: 70 }, (_, i) => ({ seriesId: `BTC-1-C-${i}`, qty: 1 }));
    const { orders, left } = planClose(
      many,
      many.map(({ seriesId }) => ({ seriesId, bid: 5, ask: 6 })),
    );
    assert.deepEqual([orders.length, left], [64, 6]);
  });
});
