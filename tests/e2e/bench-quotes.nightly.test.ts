/** Small runs of the benchmarks of quote sets: for their checks, not for speed. */

// @seconds 18

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureProtection } from '../../bench/engine/protection.ts';
import { measureQuoteSets } from '../../bench/quotes/quote-sets.ts';

test('QTS-3, QTS-4: fills of sets of every size, a freeze and whole pushes break no invariant', () => {
  const { fills, reserves, freeze, pushes } = measureProtection({
    ...{ rounds: 1, sweeps: 2, singles: 2, freezes: 1, pushes: 1 },
  });
  assert.deepEqual([fills.length, reserves.length, pushes.length], [4, 8, 2]);
  assert.equal(freeze['levels pulled'], 4_096);
});

test('QTS-1, QTS-2: every row pushed to sets under load is applied, and stands after a kill', async () => {
  const { speeds, pushTimes } = await measureQuoteSets({
    ...{ traders: 8, connections: 4, rounds: 1, roundMs: 200 },
    ...{ pacedRounds: 1, pacedMs: 800, ordersPerSecond: 50 },
  });
  assert.equal(speeds.length, 3);
  // Four makers, each three times in a round.
  assert.deepEqual(
    pushTimes.map(({ server, pushes }) => [server, pushes]),
    [
      ['bare', 12],
      ['exchange', 12],
    ],
  );
});
