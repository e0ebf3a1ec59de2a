/** The nightly run of the simulation: the seeds that the shorter tests leave out, with every fault among them. */

// @seconds 34

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FAULTS } from './faults.ts';
import { LONG_SEEDS, SeedRuns } from './test-seeds.ts';

const SEEDS = 20;

const runs = new SeedRuns();

describe('nodes under faults: the log holds each acknowledged write once, as answered; replays and nodes agree', () => {
  runs.each(LONG_SEEDS + 1, SEEDS);

  for (const fault of FAULTS) it(`occurred: ${fault}`, () => assert.ok((runs.seen.get(fault) ?? 0) > 0));

  it('different seeds give different runs', () =>
    assert.equal(new Set(runs.traces.values()).size, runs.traces.size));
});
