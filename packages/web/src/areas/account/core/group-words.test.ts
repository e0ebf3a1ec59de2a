import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarginGroup } from '@venue/protocol';
import { groupWords } from './group-words.ts';

const idOf = (right: 'C' | 'P', strike: number) => `BTC-1764374400-${right}-${strike}`;
const GROUP: MarginGroup = {
  ...{ symbol: 'BTC', expiryTs: 1_764_374_400, rule: 'A', requirement: 5_746.600004, maintenance: 0 },
  covers: [{ short: idOf('C', 95_000), long: idOf('C', 96_500), qty: 0.2, each: 1_500 }],
  loss: { amount: 300, at: 96_500 },
  uncovered: [{ seriesId: idOf('C', 96_000), qty: 0.3, unit: 18_155.333333 }],
};

test('an expiry says what it covers, where it is worst, and what nothing covers (DRM-5)', () => {
  assert.deepEqual(groupWords(GROUP, 5_746.6), {
    sum: 'Spreads 300.00 (worst at 96,500) + 0.3 uncovered 96,000 call 5,446.60',
    legs: [
      '0.2 of the 95,000 call covered by the 96,500 call: 1,500.00 each',
      '0.3 of the 96,000 call uncovered: 18,155.33 each',
    ],
  });
  assert.equal(groupWords({ ...GROUP, covers: [] }, 5_446.6).sum, '0.3 uncovered 96,000 call 5,446.60');
});

test('together, or at a price that is known, it is one amount (DRM-5)', () => {
  const whole: MarginGroup = {
    ...GROUP,
    rule: 'B',
    covers: [],
    uncovered: [],
    loss: { amount: 100, at: 97_000 },
  };
  assert.deepEqual(groupWords(whole, 100), { sum: 'All of it together 100.00 (worst at 97,000)', legs: [] });
  assert.equal(
    groupWords({ ...whole, rule: 'settlement' }, 100).sum,
    'Its settlement price is known: pays 100.00',
  );
});
