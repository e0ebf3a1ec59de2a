import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenOrder } from '@venue/protocol';
import type { PlaceResult } from '@venue/sdk/browser';
import { closeActions, closedWords, closeText, planClose } from './close-all.ts';

const NONE = new Map<string, OpenOrder[]>();
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
      NONE,
    );
    const always = { tif: 'ioc', reduceOnly: true };
    assert.deepEqual(plan, {
      orders: [
        { seriesId: HIGH, side: 'buy', qty: 3, price: 105, ...always },
        { seriesId: LOW, side: 'sell', qty: 2, price: 294.5, ...always },
      ],
      cancels: [],
      unquoted: [],
      left: [],
    });
    assert.equal(closeText(plan.orders[1]!, plan, String), 'Sell 2 BTC-1-C-90000 at 294.50 or more');
  });

  it('says in one line what was realised, and of each order only what did not close', () => {
    const terms = (seriesId: string, side: 'buy' | 'sell', qty: number) => ({
      seriesId,
      side,
      qty,
      price: 1,
    });
    const orders = [terms(HIGH!, 'buy', 3), terms(LOW!, 'sell', 2)];
    const positions = [
      { seriesId: HIGH!, avgPrice: 90 },
      { seriesId: LOW!, avgPrice: 300 },
    ];
    const facts = { plan: { orders, cancels: [], unquoted: [], left: [] }, positions, labelOf: String };
    const whole = { results: [answer(1, 3, 100), answer(2, 2, 310)] };
    assert.deepEqual(closedWords(whole, facts), {
      text: 'All closed, \u2212$10.00 realised before fees.',
      tone: 'good',
    });
    const part = closedWords({ results: [answer(1, 3, 100), answer(2, 1, 310)] }, facts);
    assert.equal(part.text, '1 of 2 closed whole, \u2212$20.00 realised before fees.');
    assert.match(part.lines?.[1] ?? '', /^BTC-1-C-90000: 1 still open; 1 filled at 310\.00, 1 cancelled/);
  });

  it('TIF-3: cancels first what rests to close, and calls nothing closed that is still open', () => {
    const resting = new Map(
      [order(7, 'buy'), order(8, 'sell')].map((one) => [one.side === 'buy' ? HIGH! : LOW!, [one]]),
    );
    resting.get(HIGH!)!.push(order(9, 'sell'));
    const held = [{ seriesId: HIGH!, qty: -0.4, avgPrice: 90 }];
    const plan = planClose(held, [{ seriesId: HIGH!, bid: 90, ask: 100 }], resting);
    assert.equal(
      closeText(plan.orders[0]!, plan, String),
      'Buy 0.4 BTC-1-C-95000 at 105.00 or less; first cancels 1 resting order',
    );
    assert.deepEqual(
      closeActions(plan).map((action) => [action.type, 'orderId' in action ? action.orderId : null]),
      [
        ['cancel', 7],
        ['place', null],
      ],
    );
    const cancelled = { type: 'cancel', ok: true, orderId: 7 } as unknown as PlaceResult;
    const facts = { plan, positions: held, labelOf: String };
    assert.equal(
      closedWords({ results: [cancelled, answer(9, 0.4, 100)] }, facts).text,
      'All closed, \u2212$4.00 realised before fees. 1 resting order cancelled.',
    );
    // Another order came to rest meanwhile, and the venue cut this one.
    const cut = { ...answer(9, 0.1, 100), qty: 0.1 } as PlaceResult;
    const told = closedWords({ results: [cancelled, cut] }, facts);
    assert.match(told.text, /^0 of 1 closed whole/);
    assert.deepEqual(told.lines, [
      'BTC-1-C-95000: 0.3 still open; 0.1 filled at 100.00, cut from 0.4 to what there was to reduce',
    ]);
    const unquoted = {
      plan: { ...plan, unquoted: [{ seriesId: LOW!, qty: 2 }] },
      positions: held,
      labelOf: String,
    };
    const partly = closedWords({ results: [cancelled, answer(9, 0.4, 100)] }, unquoted);
    assert.match(partly.text, /^1 of 2 closed whole/);
    assert.equal(partly.lines?.at(-1), 'BTC-1-C-90000: 2 still open; nobody takes the other side');
  });

  it('cancels count towards what one batch takes', () => {
    const many = [LOW!, HIGH!].map((seriesId) => ({ seriesId, qty: -1 }));
    const orders = Array.from({ length: 70 }, (_, i) => order(i + 1, 'buy'));
    const resting = new Map([[HIGH!, orders]]);
    const quotes = many.map(({ seriesId }) => ({ seriesId, bid: 5, ask: 6 }));
    const { left, cancels } = planClose(many, quotes, resting);
    assert.deepEqual([left.length, cancels.length], [1, 0]);
    assert.equal(closeActions(planClose(many.slice(1), quotes, resting)).length, 64);
  });

  it('names what nobody quotes, and leaves what one batch does not take', () => {
    const quotes = [{ seriesId: LOW!, bid: null, ask: 320 }];
    const held = [LOW, FAR].map((seriesId) => ({ seriesId: seriesId!, qty: 1 }));
    assert.deepEqual(planClose(held, quotes, NONE), {
      ...{ orders: [], cancels: [], left: [] },
      unquoted: held,
    });
    const many = Array.from({ length: 70 }, (_, i) => ({ seriesId: `BTC-1-C-${i}`, qty: 1 }));
    const { orders, left } = planClose(
      many,
      many.map(({ seriesId }) => ({ seriesId, bid: 5, ask: 6 })),
      NONE,
    );
    assert.deepEqual([orders.length, left.length], [64, 6]);
    const plan = { orders: [], cancels: [], unquoted: [], left };
    const { text, lines } = closedWords(
      { results: [] },
      { plan, positions: many.map((one) => ({ ...one, avgPrice: 1 })), labelOf: String },
    );
    assert.match(text, /^0 of 6 closed whole/);
    assert.equal(lines?.[0], 'BTC-1-C-64: 1 still open; one batch had no room for it');
  });
});

function answer(orderId: number, qty: number, price: number): PlaceResult {
  const fills = [{ qty, price }];
  return { type: 'place', ok: true, status: 'filled', orderId, fills } as unknown as PlaceResult;
}

function order(id: number, side: 'buy' | 'sell'): OpenOrder {
  return { id, side } as OpenOrder;
}
