import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Right } from '@venue/protocol';
import fc from 'fast-check';
import { uncoveredCalls } from './uncovered.ts';

const leg = (right: Right, qty: number, expiryTs = 1) => ({ right, qty, expiryTs });

test('a call spread at any strikes has limited loss; uncovered short calls do not', () => {
  assert.deepEqual(uncoveredCalls([leg('C', 1), leg('C', -1)]), []);
  assert.deepEqual(uncoveredCalls([leg('C', -1)]), [{ qty: 1, expiryTs: 1 }]);
  assert.deepEqual(uncoveredCalls([leg('C', 2), leg('C', -2.5)]), [{ qty: 0.5, expiryTs: 1 }]);
});

test('puts lose at most their strike, and cover no call', () => {
  assert.deepEqual(uncoveredCalls([leg('P', -100)]), []);
  assert.deepEqual(uncoveredCalls([leg('P', 5), leg('C', -1)]), [{ qty: 1, expiryTs: 1 }]);
});

test('calls of another expiry cover nothing', () => {
  assert.deepEqual(uncoveredCalls([leg('C', -1, 1), leg('C', 1, 2)]), [{ qty: 1, expiryTs: 1 }]);
  assert.deepEqual(uncoveredCalls([leg('C', 1, 1), leg('C', -1, 2)]), [{ qty: 1, expiryTs: 2 }]);
});

test('tenths add up to exactly zero', () => {
  assert.deepEqual(uncoveredCalls([leg('C', 0.1), leg('C', 0.2), leg('C', -0.3)]), []);
});

test('calls are reported uncovered exactly when some price path loses more than any bound', () => {
  const legs = fc.array(
    fc.record({
      right: fc.constantFrom<Right>('C', 'P'),
      expiryTs: fc.integer({ min: 0, max: 3 }),
      qty: fc.integer({ min: -3, max: 3 }),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(legs, (held) => {
      // One bit per expiry: it settles far above every strike (all are 100), or at zero.
      const results = Array.from({ length: 16 }, (_, run) =>
        held.reduce((sum, { right, expiryTs, qty }) => {
          const price = (run >> expiryTs) & 1 ? 1e9 : 0;
          return sum + qty * Math.max(0, right === 'C' ? price - 100 : 100 - price);
        }, 0),
      );
      assert.equal(uncoveredCalls(held).length > 0, Math.min(...results) < -1e6);
    }),
  );
});
