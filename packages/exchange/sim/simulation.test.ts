// @seconds 15

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failingSeeds } from './failing.ts';
import { kindOf } from './simulate.ts';
import { EVERYDAY_SEEDS, SeedRuns } from './test-seeds.ts';

const runs = new SeedRuns();

describe('seeds that failed before: the log agrees with the answers to clients', () => {
  for (const { seed, found } of failingSeeds()) if (seed > EVERYDAY_SEEDS) runs.again(seed, found);
});

describe('nodes under faults: the log holds each acknowledged write once, as answered; replays and nodes agree', () => {
  runs.each(1, EVERYDAY_SEEDS);
});

describe('a simulation is reproducible', () => {
  for (const seed of [1, 2]) {
    it(`the same seed gives the same log and the same answers: ${kindOf(seed)}`, async () => {
      const again = await runs.simulate(seed);
      assert.equal(again.trace, runs.traces.get(seed));
    });
  }

  it('different seeds give different runs', () =>
    assert.equal(new Set(runs.traces.values()).size, runs.traces.size));
});
