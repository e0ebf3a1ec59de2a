/** Hostile accounts in defined-risk mode, seed by seed: engine and model agree, and who is paid for never owes. */

// @seconds 26

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SeedRuns } from './test-seeds.ts';

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

const runs = new SeedRuns();

runs.spreads(FAILED, 'DRM-3 DRM-4 NUM-1: seeds that failed once');
runs.spreads(
  Array.from({ length: SEEDS }, (_, i) => i + 1),
  `DRM-1 DRM-2 DRM-3 DRM-4 DET-7: seeds 1 to ${SEEDS}`,
);
runs.spreads([LATER], `DRM-1 DRM-2 DRM-3 DRM-4 DET-7: seed ${LATER}`);

it('DRM-4: the seeds reached every situation', () => {
  assert.deepEqual(
    EXPECTED.filter((what) => !runs.seen.has(what)),
    [],
  );
});
