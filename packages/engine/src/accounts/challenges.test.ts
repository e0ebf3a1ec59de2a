import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressOf, Venue } from '../../test/venue.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import { CHALLENGE_REMEMBERED_MS, FAILED_CHALLENGES_MAX } from '../state/limits.ts';

const ALICE = addressOf('alice');

function signIn(venue: Venue, { address = ALICE, after = 0, signed = true } = {}) {
  return venue.apply({ kind: 'sign-in', address, after, signed });
}

describe('an attempt to sign in (AUTH-1)', () => {
  test('opens the account, once', () => {
    const venue = new Venue();
    const first = signIn(venue);
    assert.ok('opened' in first && first.opened && first.account?.address === ALICE);
    const again = signIn(venue, { after: venue.state.seq });
    assert.ok('opened' in again && !again.opened && again.account === first.account);
  });

  test('spends the challenge, signed or not: another attempt checked before it is refused', () => {
    for (const signed of [true, false]) {
      const venue = new Venue();
      signIn(venue, { signed });
      assert.deepEqual(signIn(venue), { refusal: 'noChallenge' });
      assert.deepEqual(signIn(venue, { after: 1 }), { refusal: 'noChallenge' });
      assert.ok('opened' in signIn(venue, { after: 2 }));
    }
  });

  test('without a valid signature opens nothing, and affects no other address', () => {
    const venue = new Venue();
    assert.deepEqual(signIn(venue, { signed: false }), { account: null, opened: false });
    assert.equal(venue.state.accountByAddress.size, 0);
    assert.ok('opened' in signIn(venue, { address: addressOf('bob') }));
  });

  test('is remembered across a restart, for twelve minutes, and pruned at the next tick', () => {
    const venue = new Venue();
    signIn(venue);
    venue.wait(CHALLENGE_REMEMBERED_MS);
    venue.maintain([1]);
    const restored = restoreState(stateLines(venue.state));
    assert.equal(stateDigest(restored), stateDigest(venue.state));
    assert.deepEqual([...restored.spentChallenges.keys()], [ALICE]);
    assert.deepEqual(signIn(venue), { refusal: 'noChallenge' });
    venue.wait(5_000);
    assert.ok('opened' in signIn(venue));
    venue.wait(CHALLENGE_REMEMBERED_MS + 5_000);
    venue.maintain([1]);
    assert.equal(venue.state.spentChallenges.size, 0);
  });

  test('spends the challenge even if no account can be opened', () => {
    const venue = new Venue({ paperCashMicros: Number.MAX_SAFE_INTEGER as never });
    assert.deepEqual(signIn(venue), { refusal: 'tooManyAccounts' });
    assert.deepEqual(signIn(venue), { refusal: 'noChallenge' });
  });

  test('uses no more memory past a limit if unsigned; if signed it always does', () => {
    const venue = new Venue();
    const { spentChallenges } = venue.state;
    for (let i = 0; i < FAILED_CHALLENGES_MAX; i++)
      spentChallenges.set(addressOf(`${i}`), { seq: 1, ts: venue.nowMs });
    signIn(venue, { signed: false });
    assert.equal(spentChallenges.has(ALICE), false);
    signIn(venue);
    assert.equal(spentChallenges.has(ALICE), true);
  });
});
