/** OPS-1: since when an account has been in margin call, which every node of a venue says alike. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHORT, THOUSAND, TICK } from '../../test/margin-calls.ts';
import { scenario } from '../../test/scenario.ts';
import type { Venue } from '../../test/venue.ts';
import { restoreState, stateLines } from '../snapshot.ts';

const INTRINSIC = { ...THOUSAND, marginPremium: 'intrinsic' } as const;
/** The first tick finds it in call by a price that is too old at the second, which spares it (LIQ-3). */
const FIRST = `
  ${SHORT}
  quote AAPL-C-210 bid - ask -
  spot AAPL 300
  account alice                            marginCall yes
  wait 58s
  maintain
`;
const since = (venue: Venue) => venue.account('alice').calledSince;

describe('OPS-1 since when an account is in call', () => {
  test('is the time of the first tick that found it so, and no longer once a tick did not', () => {
    const venue = scenario(`${SHORT}\nspot AAPL 300\naccount alice marginCall yes`, INTRINSIC);
    assert.equal(since(venue), null);
    scenario(TICK, venue);
    assert.equal(since(venue), venue.nowMs);
    scenario(TICK, venue);
    assert.equal(since(venue), null, 'its liquidation ended the call');
  });

  test('stays that time while the call lasts, and a call after a recovery has a time of its own', () => {
    const venue = scenario(FIRST, INTRINSIC);
    const first = venue.nowMs;
    scenario(`${TICK}\naccount alice marginCall yes`, venue);
    assert.equal(since(venue), first);
    scenario(`spot AAPL 200\naccount alice marginCall no\n${TICK}`, venue);
    assert.equal(since(venue), null);
    scenario(`spot AAPL 300\n${TICK}`, venue);
    assert.equal(since(venue), venue.nowMs);
  });

  test('OWN-72 is in the snapshot', () => {
    const venue = scenario(FIRST, INTRINSIC);
    const restored = restoreState(stateLines(venue.state));
    assert.equal(restored.accounts[venue.account('alice').index]!.calledSince, venue.nowMs);
  });
});
