import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pnlClass } from './tones.ts';

test('an amount shown as 0.00, or unknown, is neither loss nor gain', () => {
  assert.equal(pnlClass(-0.005), 'loss');
  assert.equal(pnlClass(0.005), 'gain');
  for (const usd of [-0.004_999, 0, 0.004_999, Number.NaN]) assert.equal(pnlClass(usd), undefined, `${usd}`);
});
