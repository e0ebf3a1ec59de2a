import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXPECTED } from './coverage.ts';
import { failingSeeds } from './failing.ts';
import { simulate } from './simulate.ts';

const STEPS = 186;
const SEEDS = 160;
const SEEDS_PER_TEST = 40;

const seen = new Map<string, number>();

function agrees(seed: number, steps: number, custody?: boolean): void {
  const { counts, failure } = simulate(seed, steps, custody);
  for (const [what, times] of counts) seen.set(what, (seen.get(what) ?? 0) + times);
  assert.ok(failure === null, failure ?? '');
}

describe('seeds that failed before: engine and model agree', () => {
  for (const { seed, steps, rule, custody = false } of failingSeeds()) {
    const title = `seed ${seed}${custody ? ' with custody' : ''}, ${steps} entries`;
    it(rule === undefined ? title : `${title}: ${rule}`, () => agrees(seed, steps, custody));
  }
});

describe('engine and model agree after every entry, invariants hold, replay gives the same digest', () => {
  for (let first = 1; first <= SEEDS; first += SEEDS_PER_TEST) {
    const last = first + SEEDS_PER_TEST - 1;
    it(`NUM-1..7 ORD-1..12 KEY-1..2 SIG-4..5 MAR-1..3 LIST-1..6 ORA-1..3 FINE-1 MM-3..4 FEED-1..2 HOUSE-1 LIQ-1..3 FINE-11 DEP-1..2 PAY-2..3 SIG-3: seeds ${first} to ${last}`, () => {
      for (let seed = first; seed <= last; seed++) agrees(seed, STEPS);
    });
  }

  it('ORD-1: the seeds went through every case of the ladder and every situation', () => {
    assert.deepEqual(
      EXPECTED.filter((what) => !seen.has(what)),
      [],
    );
  });

  it('ORD-6: one order in five trades', () => {
    const orders = [...seen].filter(([what]) =>
      /^order (filled|partial|rested|cancelled|rejected)/.test(what),
    );
    const all = orders.reduce((sum, [, times]) => sum + times, 0);
    const traded = (seen.get('order filled') ?? 0) + (seen.get('order partial') ?? 0);
    assert.ok(traded / all >= 0.2, `${traded} of ${all} orders traded`);
  });
});

describe('a simulation is reproducible', () => {
  it('the same seed gives the same counts', () => {
    assert.deepEqual(simulate(7, STEPS).counts, simulate(7, STEPS).counts);
  });

  it('another seed gives others', () => {
    assert.notDeepEqual(simulate(7, STEPS).counts, simulate(8, STEPS).counts);
  });
});
