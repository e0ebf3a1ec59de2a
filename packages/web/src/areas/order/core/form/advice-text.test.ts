import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Micros } from '@venue/protocol';
import type { Advice } from './advice.ts';
import { adviceText } from './advice-text.ts';

const micros = (decimal: number) => Math.round(decimal * 1e6) as Micros;
const amounts = (need: number, have: number) => ({ needMicros: micros(need), haveMicros: micros(have) });

describe('advice in words', () => {
  const text = (advice: Advice, canDeposit = true) => adviceText(advice, { canDeposit });

  test('paper mode never suggests a deposit', () => {
    const lower: Advice = { kind: 'lower-qty', maxQtyMicros: micros(3), amounts: null };
    assert.equal(text(lower), 'At most 3, or deposit.');
    assert.equal(text(lower, false), 'At most 3.');
    assert.equal(
      text({ kind: 'deposit', amounts: amounts(10, -2.5) }),
      'You are $12.50 short. Deposit first.',
    );
    assert.equal(text({ kind: 'deposit', amounts: null }, false), 'Close a position first.');
  });

  test('prices and times are part of the text', () => {
    assert.equal(
      text({ kind: 'make-limit', priceMicros: micros(3.1) }),
      'Try a limit order at the mark, 3.10.',
    );
    assert.equal(text({ kind: 'wait', ms: 4_200 }), 'Too many requests. Try again in 5 s.');
  });
});
