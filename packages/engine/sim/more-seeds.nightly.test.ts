/** The nightly run of the simulation: more seeds than the long test has, and the cases that all of them reached. */

// @seconds 75

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXPECTED } from './coverage.ts';
import { failingLogs } from './failing.ts';
import { again, LONG_SEEDS, SeedRuns } from './test-seeds.ts';

const SEEDS = 20;
/** Later ones, for what none of those reaches. `npm run sim -- --seeds 1..603` runs the ones between as well. */
const LATER = [
  27, 36, 39, 49, 50, 84, 85, 108, 114, 132, 153, 175, 217, 246, 270, 290, 300, 494, 503, 540, 572, 592, 603,
];

const runs = new SeedRuns();

describe('entries that failed before, through an unnamed defect: engine and model agree', () => {
  for (const failing of failingLogs()) if (failing.rule === undefined) again(failing);
});

describe('engine and model agree after every entry, invariants hold, replay gives the same digest', () => {
  runs.each(LONG_SEEDS + 1, SEEDS);
  for (const seed of LATER) runs.each(seed, seed);

  it('ORD-1: the seeds reached every case of the checks and every situation', () => {
    assert.deepEqual(
      EXPECTED.filter((what) => !runs.seen.has(what)),
      [],
    );
  });

  it('ORD-6: one order in five trades', () => {
    const orders = [...runs.seen].filter(([what]) =>
      /^order (filled|partial|rested|cancelled|rejected)/.test(what),
    );
    const all = orders.reduce((sum, [, times]) => sum + times, 0);
    const traded = (runs.seen.get('order filled') ?? 0) + (runs.seen.get('order partial') ?? 0);
    assert.ok(traded / all >= 0.2, `${traded} of ${all} orders traded`);
  });
});
