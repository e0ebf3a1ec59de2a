import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlaceResult } from '@venue/sdk/browser';
import { closedWords, closeText, planClose } from './close-all.ts';

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

  it('says in one line what was realised, and of each order only what did not close', () => {
    const order = (seriesId: string, side: 'buy' | 'sell', qty: number) => ({
      seriesId,
      side,
      qty,
      price: 1,
    });
    const orders = [order(HIGH!, 'buy', 3), order(LOW!, 'sell', 2)];
    const positions = [
      { seriesId: HIGH!, avgPrice: 90 },
      { seriesId: LOW!, avgPrice: 300 },
    ];
    const facts = { orders, positions, labelOf: String };
    const answer = (orderId: number, qty: number, price: number) =>
      ({
        type: 'place',
        ok: true,
        status: 'filled',
        orderId,
        fills: [{ qty, price }],
      }) as unknown as PlaceResult;
    const whole = { results: [answer(1, 3, 100), answer(2, 2, 310)] };
    assert.deepEqual(closedWords(whole, facts), {
      text: 'All closed, \u2212$10.00 realised before fees.',
      tone: 'good',
    });
    const part = closedWords({ results: [answer(1, 3, 100), answer(2, 1, 310)] }, facts);
    assert.equal(part.text, '1 of 2 closed whole, \u2212$20.00 realised before fees.');
    assert.equal(part.lines?.length, 2);
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
