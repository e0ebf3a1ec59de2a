import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FillRecord } from '@venue/protocol';
import { awayCard, cardOf, cashEffect, isNews, orderCard } from './fill-words.ts';

const part = (qty: number, price: number, more: Partial<FillRecord> = {}): FillRecord => ({
  ...{ id: 1, orderId: 7, seriesId: 'BTC-1764374400-C-95000', symbol: 'BTC', side: 'buy', taker: false },
  ...{ qty, price, fee: 0, realized: 0, ts: 0, kind: 'trade' },
  ...more,
});

test('an order is one card for all its fills', () => {
  const words = { label: 'BTC call', qty: 0.3 } as const;
  const card = orderCard([part(0.1, 10), part(0.2, 13)], words);
  assert.equal(card.title, 'Filled 0.3 of 0.3: buy BTC call');
  assert.equal(card.text, 'At 12.00 average. Cash −$3.60.');
  assert.equal(orderCard([part(2, 10)], { ...words, qty: null }).title, 'Filled 2: buy BTC call');
  const closing = orderCard([part(0.1, 10, { realized: 2 }), part(0.2, 13, { realized: -5.5 })], words);
  assert.equal(closing.text, 'At 12.00 average. Cash −$3.60. Realised −$3.50.');
});

test("an order's immediate fills were in its answer, its later fills are news", () => {
  assert.deepEqual(
    [part(1, 1, { taker: true }), part(1, 1), part(1, 1, { kind: 'liquidation', taker: true })].map(isNews),
    [false, true, true],
  );
});

test('an absence is summarised, with a line for each order and each event', () => {
  const news = [
    part(1, 10),
    part(1, 12),
    part(2, 5, { orderId: 8, side: 'sell' }),
    part(1, 100, { kind: 'settlement', side: 'sell', orderId: 0, taker: false }),
  ];
  const card = awayCard(news, { labelOf: () => 'X' });
  assert.equal(card.title, 'While you were away');
  assert.equal(card.text, '2 orders filled, 1 expiry settled. Cash +$88.00.');
  assert.deepEqual(card.lines?.slice(0, 2), ['Bought 2 X at 11.00', 'Sold 2 X at 5.00']);
  assert.match(card.lines![2]!, /^Settled: X\./);
});

test('cards state the event, its price and its effect on cash', () => {
  const sold = { side: 'sell', price: 10.5, qty: 2, fee: 0, realized: -3 } as FillRecord;
  const bought = { side: 'buy', price: 10, qty: 2, fee: 0.1, realized: 4 } as FillRecord;
  assert.deepEqual([cashEffect(sold), cashEffect(bought)], [21, -20.1]);
  const settled = cardOf({ ...sold, kind: 'settlement' }, 'BTC call')!;
  assert.match(settled.text, /2 long paid out 10\.50 each\. Cash \+\$21\.00, realised −\$3\.00/);
  assert.match(
    cardOf({ ...bought, price: 0, fee: 0, kind: 'settlement' }, 'x')!.text,
    /2 short expired without value\. Cash 0\.00|Cash \$0\.00/,
  );
  const liquidated = cardOf({ ...bought, kind: 'liquidation' }, 'BTC call')!;
  assert.equal(liquidated.tone, 'danger');
  assert.match(
    liquidated.text,
    /bought 2 of your short back at 10\.00 with a fee of 0\.10\. Cash −\$20\.10, realised \+\$4\.00/,
  );
  assert.equal(cardOf({ ...sold, kind: 'trade' }, 'x'), null);
});
