import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import type { Venue } from '../../test/venue.ts';
import { brokenInvariants } from '../invariants.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';

const SET = `
  margin alice on
  protect alice 1 AAPL window 1s qty 10 frozen 0
`;

/** Runs a table on a set of Alice's; the state must pass its invariants and come back from its own lines. */
function on(table: string): Venue {
  const venue = scenario(`${SET}${table}`);
  assert.deepEqual([...brokenInvariants(venue.state)], []);
  const lines = [...stateLines(venue.state)];
  assert.equal(stateDigest(restoreState(lines)), stateDigest(venue.state), 'a snapshot differs');
  return venue;
}

describe('QTS-2 quotes of a set', () => {
  test('rest as pushed, and are no orders', () => {
    on(`push alice 1 AAPL-C-190 bid 3.30x5 3.20x6 ask 3.40x7
        book AAPL-C-190                 bid alice/1 3.30x5 alice/1 3.20x6 ask alice/1 3.40x7
        account alice                   orders 0
        push alice 1 AAPL-C-190 bid 3.30x5 3.20x6 ask 3.40x7     applied 0 kept 1
        push alice 1 AAPL-C-190 bid 3.30x5 ask -
        book AAPL-C-190                 bid alice/1 3.30x5
        closes alice                    none`);
  });

  test('QTS-1 a set exists once it is protected', () => {
    on(`push alice 2 AAPL-C-190 bid 3.30x5              refused unknown set
        unfreeze alice 2                                rejected unknown set
        protect alice 2 AAPL qty 0
        protect alice 2 XXX qty 5                       rejected unknown series
        set alice 2                                     none
        protect alice 2 AAPL qty 5
        push alice 2 AAPL-C-190 bid 3.30x5
        protect alice 2 BTC qty 5                       rejected set has quotes
        protect alice 2 AAPL qty 0
        set alice 2                                     none
        book AAPL-C-190                                 empty
        account alice                                   locked 0`);
  });

  test('trade as others do, and the incoming order goes on', () => {
    on(`push alice 1 AAPL-C-190 ask 3.40x5
        buy bob AAPL-C-190 2 @ market                   filled 2@3.40
        fills alice                                     sell 2@3.40 fee 0 realized 0 maker
        set alice 1                                     used 2 quotes 1
        book AAPL-C-190                                 ask alice/1 3.40x3`);
  });
});

describe('QTS-3 protection', () => {
  test('a fill is cut to the allowance, and its end pulls and freezes the set in the same entry', () => {
    on(`push alice 1 AAPL-C-190 ask 3.40x6 3.50x6 bid 3.30x5 ; AAPL-C-195 ask 2x1    applied 2
        quote AAPL-C-190 ask 3.60x9
        buy bob AAPL-C-190 12 @ market                  filled 6@3.40 4@3.50 2@3.60
        book AAPL-C-190                                 ask maker 3.60x7
        book AAPL-C-195                                 empty
        set alice 1                                     used 10 frozen yes quotes 0 reserve 0
        push alice 1 AAPL-C-190 bid 3.30x5              refused frozen — unfreeze the set first
        wait 1h
        push alice 1 AAPL-C-190 bid 3.30x5              refused frozen — unfreeze the set first
        unfreeze alice 1
        push alice 1 AAPL-C-190 bid 3.30x5
        set alice 1                                     used 0 frozen no quotes 1 reserve 16.5`);
  });
});
