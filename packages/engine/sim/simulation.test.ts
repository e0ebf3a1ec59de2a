import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulate } from './simulate.ts';
import { EVERYDAY_SEEDS, SeedRuns } from './test-seeds.ts';

/** Enough for orders to trade, and for two seeds to differ. */
const STEPS_COMPARED = 60;

const runs = new SeedRuns();

describe('engine and model agree after every entry, invariants hold, replay gives the same digest', () => {
  runs.each(1, EVERYDAY_SEEDS);
});

describe('hostile accounts in defined-risk mode: engine and model agree, and who is paid for never owes', () => {
  runs.spreads([1], 'DRM-1 DRM-2 DRM-3 DRM-4 DET-7: seed 1');
});

describe('a simulation is reproducible', () => {
  it('the same seed gives the same counts, and another one others', () => {
    const { counts } = simulate(7, STEPS_COMPARED);
    assert.deepEqual(simulate(7, STEPS_COMPARED).counts, counts);
    assert.notDeepEqual(simulate(8, STEPS_COMPARED).counts, counts);
  });
});
