import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TrayFacts, trayCautions } from './cautions.ts';

const [SHORT, LONG] = ['BTC-1764374400-P-95000', 'BTC-1764374400-P-94000'];

const FACTS: TrayFacts = {
  terms: {
    legs: [
      { seriesId: SHORT, side: 'sell', ratio: 1 },
      { seriesId: LONG, side: 'buy', ratio: 1 },
    ],
    ...{ qty: 1, net: -40, tif: 'ioc' },
  },
  preview: null,
  nets: { touch: -40, mid: -41, far: -42 },
  gross: 100,
  isClosing: false,
  settlesNear: () => null,
  positions: new Map(),
};

test('ORA-1: a combo that sells what settles in the money is asked about', () => {
  assert.deepEqual(trayCautions(FACTS), []);
  const of = (price: number, seriesIds: readonly string[]) =>
    trayCautions({
      ...FACTS,
      settlesNear: (seriesId) =>
        seriesIds.includes(seriesId) ? { price, fixedShare: 0.5, seenShare: 1 } : null,
    });
  assert.deepEqual(of(94_500, [SHORT, LONG]), [
    'You sell what is in the money: it settles near 94,500.00, 50% of it fixed, and pays about 500.00.',
  ]);
  assert.deepEqual(of(95_500, [SHORT, LONG]), []);
  assert.deepEqual(of(93_000, [LONG]), []);
});
