// @seconds 8

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failingSeeds } from './failing.ts';
import { simulate } from './simulate.ts';
import { EVERYDAY_SEEDS, SeedRuns, STEPS } from './test-seeds.ts';

const runs = new SeedRuns();

describe('seeds that once showed a named defect: engine and model agree', () => {
  for (const failing of failingSeeds()) if (failing.rule !== undefined) runs.again(failing);
});

describe('engine and model agree after every entry, invariants hold, replay gives the same digest', () => {
  runs.each(1, EVERYDAY_SEEDS);
});

describe('hostile accounts in defined-risk mode: engine and model agree, and who is paid for never owes', () => {
  runs.spreads([1, 2, 3], 'DRM-1 DRM-2 DRM-3 DRM-4 DET-7: seeds 1 to 3');
});

describe('a simulation is reproducible', () => {
  it('the same seed gives the same counts, and another one others', () => {
    const { counts } = simulate(7, STEPS);
    assert.deepEqual(simulate(7, STEPS).counts, counts);
    assert.notDeepEqual(simulate(8, STEPS).counts, counts);
  });
});
