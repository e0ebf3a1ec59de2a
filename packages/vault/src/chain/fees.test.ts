import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bumpedFees, firstFees } from './fees.ts';

test('the first offer leaves room for the base fee to double, and stays under the cap', () => {
  assert.deepEqual(firstFees({ baseFeeWei: 10n, tipWei: 2n }, 100n), { feeWei: 22n, tipWei: 2n });
  assert.deepEqual(firstFees({ baseFeeWei: 60n, tipWei: 2n }, 100n), { feeWei: 100n, tipWei: 2n });
  assert.deepEqual(firstFees({ baseFeeWei: 0n, tipWei: 500n }, 100n), { feeWei: 100n, tipWei: 100n });
  assert.equal(firstFees({ baseFeeWei: 100n, tipWei: 2n }, 100n), null);
});

test('a replacement offers at least an eighth more of both, rounded up, and the market price', () => {
  const quiet = { baseFeeWei: 1n, tipWei: 1n };
  assert.deepEqual(bumpedFees({ feeWei: 80n, tipWei: 8n }, quiet, 1_000n), { feeWei: 90n, tipWei: 9n });
  assert.deepEqual(bumpedFees({ feeWei: 81n, tipWei: 1n }, quiet, 1_000n), { feeWei: 92n, tipWei: 2n });
  assert.deepEqual(bumpedFees({ feeWei: 80n, tipWei: 8n }, { baseFeeWei: 200n, tipWei: 20n }, 1_000n), {
    feeWei: 420n,
    tipWei: 20n,
  });
});

test('the cap is never exceeded: without room for a sufficient replacement there is none', () => {
  const busy = { baseFeeWei: 200n, tipWei: 20n };
  assert.deepEqual(bumpedFees({ feeWei: 80n, tipWei: 8n }, busy, 100n), { feeWei: 100n, tipWei: 20n });
  assert.deepEqual(bumpedFees({ feeWei: 80n, tipWei: 8n }, busy, 90n), { feeWei: 90n, tipWei: 20n });
  assert.equal(bumpedFees({ feeWei: 80n, tipWei: 8n }, busy, 89n), null);
  assert.equal(bumpedFees({ feeWei: 90n, tipWei: 90n }, busy, 100n), null);
});
