import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pnlClass } from './tones.ts';

test('an amount shown as 0.00 is not a loss', () => {
  assert.equal(pnlClass(-0.005), 'loss');
  for (const usd of [-0.004_999, 0, 0.01]) assert.equal(pnlClass(usd), 'gain', `${usd}`);
});
