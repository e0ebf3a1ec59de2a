// @seconds 8

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVERYDAY_SEEDS, SeedRuns } from './test-seeds.ts';

const runs = new SeedRuns();

describe('nodes under faults: the log holds each acknowledged write once, as answered; replays and nodes agree', () => {
  runs.each(1, EVERYDAY_SEEDS);
});

describe('a simulation is reproducible', () => {
  runs.sameAgain(2);

  it('different seeds give different runs', () =>
    assert.equal(new Set(runs.traces.values()).size, runs.traces.size));
});
