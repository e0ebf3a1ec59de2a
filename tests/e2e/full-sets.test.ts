/** A venue whose quote sets are at their bounds, in small; `full-sets.nightly.test.ts` has it whole. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from '../../bench/engine/full-sets.ts';

test('QTS-2: free wallets fill the venue to its bounds and no further, it restarts to the same state, and silence empties it', async () => {
  const report = await measure({ levels: 6_000, ticks: 2 });
  assert.deepEqual([report.levels, report.accounts], [6_000, 2]);
});
