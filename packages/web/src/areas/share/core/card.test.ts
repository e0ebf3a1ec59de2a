import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PayoffLeg } from '../../order/core/payoff/payoff-leg.ts';
import { cardOf, cardWords, type ShareOrder } from './card.ts';

const LOW: PayoffLeg = {
  ...{ seriesId: 'BTC-1764374400-C-95000', right: 'C', strike: 95_000, expiryTs: 1_764_374_400 },
  ...{ qty: 3, price: 0, fee: 1_500, iv: 0.5 },
};
const HIGH: PayoffLeg = { ...LOW, seriesId: 'BTC-1764374400-C-97000', strike: 97_000, qty: -3, fee: 0 };
const ORDER: ShareOrder = {
  legs: [LOW, HIGH],
  spot: 95_123.5,
  atMs: Date.UTC(2025, 10, 26, 9, 36),
  isWithoutFee: true,
  isPaper: true,
};

test('TERM-17: a card is of one unit, whatever the size of the order', () => {
  const card = cardOf(ORDER)!;
  assert.equal(card.title, 'BTC 28 Nov 95/97 call spread');
  assert.deepEqual(card.legs, ['Buy 1 × 28 Nov 95,000 call', 'Sell 1 × 28 Nov 97,000 call']);
  assert.deepEqual(card.figures, [
    ['Net debit per unit', 'paper $500.00'],
    ['Max profit per unit', 'paper $1,500.00'],
    ['Max loss per unit', 'paper $500.00'],
    ['Break-even', '95,500.00'],
  ]);
  assert.equal(card.foot, 'BTC at 95,123.50, 26 Nov 2025, 09:36 UTC. For one unit, without the fee.');
  assert.equal(card.hash, '#buy1.BTC-1764374400-C-95000,sell1.BTC-1764374400-C-97000');
  const larger = {
    ...ORDER,
    legs: [
      { ...LOW, qty: 30, fee: 15_000 },
      { ...HIGH, qty: -30 },
    ],
  };
  assert.deepEqual(cardOf(larger), card);
  assert.match(
    cardWords(card),
    /^Paper: BTC .*Max loss per unit paper \$500\.00, Break-even 95,500\.00\. BTC at/,
  );
});

test('TERM-17: a card of one contract joins what fills and what rests, and knows no bound without one', () => {
  const parts = [
    { ...LOW, qty: -2, price: 100, fee: 1 },
    { ...LOW, qty: -1, price: 106, fee: 0 },
  ];
  const card = cardOf({ ...ORDER, legs: parts, spot: Number.NaN, isPaper: false, isWithoutFee: false })!;
  assert.deepEqual(card.legs, ['Sell 1 × 28 Nov 95,000 call']);
  assert.deepEqual(card.figures[0], ['Net credit per unit', '$101.67']);
  assert.deepEqual(card.figures[2], ['Max loss per unit', 'unlimited']);
  assert.equal(card.hash, '#BTC-1764374400-C-95000');
  assert.match(card.foot, /^26 Nov 2025, 09:36 UTC\. For one unit, with the fee\.$/);
});

test('TERM-17: there is no card of nothing, or of more than can be counted', () => {
  assert.equal(cardOf({ ...ORDER, legs: [LOW, { ...LOW, qty: -3 }] }), null);
  assert.equal(cardOf({ ...ORDER, legs: [{ ...LOW, fee: 1e12 }, HIGH] }), null);
});
