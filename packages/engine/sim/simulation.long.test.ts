/** More seeds than the everyday test has, and those that once showed a defect which has a name. */

// @seconds 14

import { describe } from 'node:test';
import { failingLogs } from './failing.ts';
import { again, EVERYDAY_SEEDS, LONG_SEEDS, SeedRuns } from './test-seeds.ts';

const runs = new SeedRuns();

describe('entries that once showed a named defect: engine and model agree', () => {
  for (const failing of failingLogs()) if (failing.rule !== undefined) again(failing);
});

describe('engine and model agree after every entry, invariants hold, replay gives the same digest', () => {
  runs.each(EVERYDAY_SEEDS + 1, LONG_SEEDS);
});

describe('hostile accounts in defined-risk mode: engine and model agree, and who is paid for never owes', () => {
  runs.spreads([2, 3], 'DRM-1 DRM-2 DRM-3 DRM-4 DET-7: seeds 2 and 3');
});
