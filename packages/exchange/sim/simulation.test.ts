import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { failingSeeds } from './failing.ts';
import { FAULTS } from './faults.ts';
import { kindOf } from './simulate.ts';
import { SimulationThread } from './thread.ts';

const SEEDS = 20;

const seen = new Map<string, number>();
const traces = new Map<number, string>();

async function holds(seed: number): Promise<void> {
  const { counts, failure, trace } = await thread.simulate(seed);
  traces.set(seed, trace);
  for (const [what, times] of counts) seen.set(what, (seen.get(what) ?? 0) + times);
  assert.ok(failure === null, failure ?? '');
}

let thread: SimulationThread;
before(() => {
  thread = new SimulationThread();
});
after(() => thread.close());

describe('seeds that failed before: the log and what clients were told agree', () => {
  for (const { seed, found = '' } of failingSeeds()) it(`seed ${seed} ${found}`, () => holds(seed));
});

describe('nodes in trouble: what was acknowledged is there once, as it was told; all replays and nodes agree', () => {
  for (let seed = 1; seed <= SEEDS; seed++)
    it(`SIG-4 KEY-1 MM-3 MAINT-1 FINE-4 DEP-1 PAY-2: seed ${seed}, ${kindOf(seed)}`, () => holds(seed));

  for (const fault of FAULTS) it(`came up: ${fault}`, () => assert.ok((seen.get(fault) ?? 0) > 0));
});

describe('a simulation is reproducible', () => {
  for (const seed of [7, 8]) {
    it(`the same seed gives the same log and the same answers: ${kindOf(seed)}`, async () => {
      const again = await thread.simulate(seed);
      assert.equal(again.trace, traces.get(seed));
    });
  }

  it('every seed gives others', () => assert.equal(new Set(traces.values()).size, traces.size));
});
