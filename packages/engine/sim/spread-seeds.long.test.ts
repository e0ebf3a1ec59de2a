/** Hostile accounts in defined-risk mode, seed by seed: engine and model agree, and who is paid for never owes. */

// @seconds 26

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { simulateSpreads } from './simulate.ts';

const STEPS = 220;
/** `npm run sim -- --hostile --seeds 1..300` runs many more. */
const SEEDS = 20;
/** A later one, in which a covered pair is handed over. */
const LATER = 31;

/** The situations that the seeds must reach. */
const EXPECTED = [
  'margin-mode ok=true',
  'margin-mode ok=false',
  'protect ok=false',
  'sell of a long that covers',
  'group under its cheapest cover',
  'group under its greatest loss',
  'covered pair handed over',
  'covered group handed over',
  'liquidated from the book',
  'liquidated to the house',
  'liquidated at tick 4',
  'mark of the model',
  'settled by the oracle',
  'position put under review',
];

/**
 * Later seeds that failed: a short settled by hand pays before its long does, and a buy that costs more than is exact
 * raises the requirement.
 */
const FAILED = [280, 297];

const seen = new Set<string>();

it('DRM-3 DRM-4 NUM-1: seeds that failed once', () => {
  for (const seed of FAILED) assert.equal(simulateSpreads(seed, STEPS).failure, null);
});

for (const [from, to] of [
  [1, SEEDS],
  [LATER, LATER],
] as const) {
  it(`DRM-1 DRM-2 DRM-3 DRM-4 DET-7: seeds ${from} to ${to}`, () => {
    for (let seed = from; seed <= to; seed++) {
      const { failure, counts } = simulateSpreads(seed, STEPS);
      assert.ok(failure === null, failure ?? '');
      for (const what of counts.keys()) seen.add(what);
    }
  });
}

it('DRM-4: the seeds reached every situation', () => {
  assert.deepEqual(
    EXPECTED.filter((what) => !seen.has(what)),
    [],
  );
});
