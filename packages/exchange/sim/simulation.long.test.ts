/** More seeds than the everyday test has, and every one that failed before. */

// @seconds 16

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failingSeeds } from './failing.ts';
import { EVERYDAY_SEEDS, LONG_SEEDS, SeedRuns } from './test-seeds.ts';

const runs = new SeedRuns();

describe('seeds that failed before: the log agrees with the answers to clients', () => {
  for (const { seed, found } of failingSeeds()) if (seed > LONG_SEEDS) runs.again(seed, found);
});

describe('nodes under faults: the log holds each acknowledged write once, as answered; replays and nodes agree', () => {
  runs.each(EVERYDAY_SEEDS + 1, LONG_SEEDS);
});

describe('a simulation is reproducible', () => {
  runs.sameAgain(LONG_SEEDS - 1);

  it('different seeds give different runs', () =>
    assert.equal(new Set(runs.traces.values()).size, runs.traces.size));
});
