import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scenario } from '../../test/scenario.ts';
import { addressOf, Venue } from '../../test/venue.ts';
import { brokenInvariants } from '../invariants.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import { SESSION_LIFETIME_MAX_MS, SESSIONS_PER_ACCOUNT_MAX } from '../state/limits.ts';

const USED = 'refused nonce already used';
const OUTSIDE = 'refused nonce outside the accepted window';
const UNKNOWN = 'refused unknown or revoked session key';
const EXPIRED = 'refused session expired — approve a new one';
const BAD_EXPIRY = 'refused expiry must be in the future and within 30 days';

describe('approvals', () => {
  test('an approval opens and funds the account, and its key can sign immediately', () => {
    const venue = scenario(`
      approve alice phone for 1d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +0ms       rested
      account alice                                            cash 100000 orders 1
    `);
    assert.equal(venue.account('alice').sessions.get(addressOf('phone'))?.approvedAt, venue.nowMs);
  });

  test('the expiry is in the future and no more than 30 days away', () => {
    scenario(`
      approve alice phone for 0ms                              ${BAD_EXPIRY}
      approve alice phone for -1ms                             ${BAD_EXPIRY}
      approve alice phone for 2592000001ms                     ${BAD_EXPIRY}
      approve alice phone for 30d
      approve alice laptop for 1ms
    `);
    assert.equal(SESSION_LIFETIME_MAX_MS, 30 * 24 * 60 * 60 * 1_000);
  });

  test('an approval past its bounds opens no account', () => {
    const venue = Venue.listed();
    scenario(`approve alice phone for 31d   ${BAD_EXPIRY}`, venue);
    assert.equal(venue.state.accountByAddress.has(addressOf('alice')), false);
  });

  test('KEY-1 one key approved by two accounts makes two sessions', () => {
    scenario(`
      approve alice phone for 1d
      buy bob AAPL-C-200 1 @ 1 signed phone nonce +0ms         ${UNKNOWN}
      approve bob phone for 1d
      buy bob AAPL-C-200 1 @ 1 signed phone nonce +0ms         rested
      revoke bob phone
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +0ms       rested
      buy bob AAPL-C-200 1 @ 1 signed phone nonce +1ms         ${UNKNOWN}
    `);
  });

  test('a session ends at its expiry, says so for a day, and is then unknown', () => {
    scenario(`
      approve alice phone for 1h
      wait 3599999ms
      buy alice AAPL-C-200/2 1 @ 1 signed phone nonce +0ms     rested
      wait 1ms
      buy alice AAPL-C-200/2 1 @ 1 signed phone nonce +0ms     ${EXPIRED}
      wait 24h
      buy alice AAPL-C-200/2 1 @ 1 signed phone nonce +0ms     ${EXPIRED}
      wait 1ms
      buy alice AAPL-C-200/2 1 @ 1 signed phone nonce +0ms     ${UNKNOWN}
    `);
  });

  test('KEY-1 FINE-13 no more than 64 live sessions; a dead one makes room', () => {
    const venue = Venue.listed();
    scenario('approve alice short for 1h', venue);
    for (let k = 1; k < SESSIONS_PER_ACCOUNT_MAX; k += 1) scenario(`approve alice key${k} for 2d`, venue);
    scenario(
      `
      approve alice another for 2d                             refused too many sessions
      -- the one in force may be posted again, or replaced
      approve alice key1 for 2d
      approve alice key1 for 1d
      approve bob another for 2d
      revoke alice key2
      approve alice another for 2d
      approve alice onemore for 2d                             refused too many sessions
      wait 1h
      approve alice onemore for 2d
    `,
      venue,
    );
    assert.equal(SESSIONS_PER_ACCOUNT_MAX, 64);
  });
});

describe('KEY-2 replayed approvals', () => {
  test('posting the approval in force again changes nothing', () => {
    const venue = scenario('approve alice phone for 1d');
    const before = { ...venue.account('alice').sessions.get(addressOf('phone')) };
    scenario(
      `
      wait 1h
      approve alice phone for 23h
    `,
      venue,
    );
    assert.deepEqual({ ...venue.account('alice').sessions.get(addressOf('phone')) }, before);
  });

  test('an approval replaced by a shorter one cannot come back', () => {
    scenario(`
      approve alice phone for 10d
      approve alice phone for 1h
      approve alice phone for 10d                              ${UNKNOWN}
      wait 1h
      buy alice AAPL-C-200/2 1 @ 1 signed phone nonce +0ms     ${EXPIRED}
      approve alice phone for 239h                             ${UNKNOWN}
      -- a new one may
      approve alice phone for 5d
      buy alice AAPL-C-200/2 1 @ 1 signed phone nonce +0ms     rested
    `);
  });

  test('every approval that was ever replaced stays replaced', () => {
    scenario(`
      approve alice phone for 10d
      approve alice phone for 1d
      approve alice phone for 2d
      approve alice phone for 10d                              ${UNKNOWN}
      approve alice phone for 1d                               ${UNKNOWN}
      approve alice phone for 2d
    `);
  });

  test('one replaced by a longer one cannot come back either', () => {
    scenario(`
      approve alice phone for 1d
      approve alice phone for 10d
      approve alice phone for 1d                               ${UNKNOWN}
      wait 2d
      buy alice AAPL-C-200/3 1 @ 1 signed phone nonce +0ms     rested
    `);
  });

  test('FINE-13 a revoked pair is dead, for its own approval and for any other', () => {
    scenario(`
      approve alice phone for 1d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +0ms       rested
      revoke alice phone
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +1ms       ${UNKNOWN}
      cancel alice all signed phone nonce +2ms                 ${UNKNOWN}
      account alice                                            orders 1
      approve alice phone for 1d                               ${UNKNOWN}
      approve alice phone for 2d                               ${UNKNOWN}
      approve alice laptop for 1d
    `);
  });

  test('a revoked pair stays dead until its longest approval has expired', () => {
    scenario(`
      approve alice phone for 10d
      approve alice phone for 1d
      revoke alice phone
      wait 9d
      approve alice phone for 2d                               ${UNKNOWN}
      wait 86399999ms
      approve alice phone for 1d                               ${UNKNOWN}
      buy alice AAPL-C-200/20 1 @ 1 signed phone nonce +0ms    ${UNKNOWN}
      wait 1ms
      approve alice phone for 1d
      buy alice AAPL-C-200/20 1 @ 1 signed phone nonce +0ms    rejected unknown series
    `);
  });

  test("revoking twice, another account's key, an unknown key", () => {
    const venue = scenario(`
      approve alice phone for 1d
      open bob
      revoke bob phone                                         refused not your session key
      revoke bob laptop                                        ${UNKNOWN}
      revoke carol phone                                       refused not your session key
      revoke alice phone
    `);
    const revokedAt = venue.nowMs;
    scenario(
      `
      wait 1h
      revoke alice phone
    `,
      venue,
    );
    assert.equal(venue.account('alice').sessions.get(addressOf('phone'))?.revokedAt, revokedAt);
  });

  test('an order keeps the key that signed it after the session is pruned, also in a snapshot', () => {
    const venue = scenario(`
      approve alice phone for 1ms
      buy alice AAPL-C-200/3 1 @ 1 signed phone nonce +0ms     rested
      buy alice AAPL-C-200/3 2 @ 1 signed phone nonce +1ms     rested
      wait 86400002ms
      approve alice laptop for 1d
    `);
    assert.equal(venue.account('alice').sessions.has(addressOf('phone')), false);
    const restored = restoreState(stateLines(venue.state));
    assert.equal(stateDigest(restored), stateDigest(venue.state));
    scenario(
      `
      margin bob on
      sell bob AAPL-C-200/3 2 @ 1                              filled 1@1 1@1
    `,
      venue,
    );
    const signers = [...venue.account('alice').fills].map(({ signer }) => signer);
    assert.deepEqual(signers, [addressOf('phone'), addressOf('phone')]);
    assert.deepEqual([...brokenInvariants(venue.state), ...brokenInvariants(restored)], []);
    scenario('cancel alice all                                 pulled 1', venue);
    assert.deepEqual([...brokenInvariants(venue.state)], []);
    // Her laptop's session, and the phone's row, which only her fills hold now.
    assert.equal(venue.state.sessions.count, 2);
  });

  test('the fill of an order takes over the key of a pruned session, also in a snapshot', () => {
    const venue = scenario(`
      approve alice phone for 1ms
      buy alice AAPL-C-200/3 1 @ 1 signed phone nonce +0ms     rested
      wait 86400002ms
      approve alice laptop for 1d
      margin bob on
      sell bob AAPL-C-200/3 1 @ 1                              filled 1@1
      approve bob tablet for 1d
    `);
    const restored = restoreState(stateLines(venue.state));
    assert.equal(stateDigest(restored), stateDigest(venue.state));
    for (const state of [venue.state, restored]) {
      assert.deepEqual([...brokenInvariants(state)], []);
      assert.equal(state.sessions.count, 3);
    }
    assert.equal(venue.account('alice').fills.at(0).signer, addressOf('phone'));
  });

  test('a pruned session is unknown to its own account too', () => {
    scenario(`
      approve alice phone for 1h
      wait 25h
      revoke alice phone
      approve bob tablet for 1h
      wait 25h
      wait 1ms
      revoke carol tablet                                      ${UNKNOWN}
      revoke bob tablet                                        ${UNKNOWN}
    `);
  });

  test('an expired session can still be revoked, and is then unknown', () => {
    scenario(`
      approve alice phone for 1h
      wait 2h
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +0ms       ${EXPIRED}
      revoke alice phone
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +0ms       ${UNKNOWN}
    `);
  });
});

describe('nonces', () => {
  test('SIG-5 the window is 60 s around the time of the log', () => {
    scenario(`
      approve alice phone for 1d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +60001ms   ${OUTSIDE}
      buy alice AAPL-C-200 1 @ 1 signed phone nonce -60001ms   ${OUTSIDE}
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +60s       rested
      buy alice AAPL-C-200 1 @ 1 signed phone nonce -60s       rested
    `);
  });

  test('SIG-4 even a rejected order burns its nonce', () => {
    scenario(`
      approve alice phone for 1d
      buy alice nowhere 1 @ 1 signed phone nonce +1s           rejected unknown series
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +1s        ${USED}
      margin alice off signed phone nonce +2s
      margin alice off signed phone nonce +2s                  ${USED}
    `);
  });

  test('SIG-4 a write that may not be spent burns nothing', () => {
    scenario(`
      approve alice phone for 1d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +61s       ${OUTSIDE}
      wait 1s
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +60s       rested
      buy alice AAPL-C-200 1 @ 1 signed laptop nonce +1s       ${UNKNOWN}
      approve alice laptop for 1d
      buy alice AAPL-C-200 1 @ 1 signed laptop nonce +1s       rested
    `);
  });

  test('SIG-4 all kinds of write share one set of nonces, separate for each account and key', () => {
    scenario(`
      approve alice phone for 1d
      approve alice laptop for 1d
      approve bob phone for 1d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +1s        rested
      cancel alice all signed phone nonce +1s                  ${USED}
      cancel-order alice #1 signed phone nonce +1s             ${USED}
      margin alice on signed phone nonce +1s                   ${USED}
      account alice                                            orders 1 margin off
      cancel alice all signed phone nonce +2s                  pulled 1
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +2s        ${USED}
      margin alice on signed phone nonce +3s
      cancel-order alice #1 signed phone nonce +3s             ${USED}
      buy alice AAPL-C-200 1 @ 1 signed laptop nonce +1s       rested
      buy bob AAPL-C-200 1 @ 1 signed phone nonce +1s          rested
    `);
  });

  test('SIG-4 a nonce is remembered for as long as the window can reach it', () => {
    scenario(`
      approve alice phone for 1d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +60s       rested
      wait 60s
      maintain
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +0s        ${USED}
      wait 60s
      maintain
      buy alice AAPL-C-200 1 @ 1 signed phone nonce -60s       ${USED}
      wait 1ms
      buy alice AAPL-C-200 1 @ 1 signed phone nonce -60001ms   ${OUTSIDE}
    `);
  });

  test('maintenance prunes nonces that are out of reach', () => {
    const venue = scenario(`
      approve alice phone for 1d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +0s        rested
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +1ms       rested
      wait 60001ms
      maintain
    `);
    const { nonces } = venue.account('alice').sessions.get(addressOf('phone'))!;
    assert.deepEqual([...nonces], [venue.nowMs - 60_000]);
  });

  test('SIG-4 too many live nonces cause backpressure, not pruning', () => {
    const tooMany = 'refused too many orders in flight — retry';
    scenario(
      `
      approve alice phone for 1d
      approve alice laptop for 1d
      cancel alice all signed phone nonce +0ms                 pulled 0
      cancel alice all signed phone nonce +1ms                 pulled 0
      cancel alice all signed phone nonce +2ms                 pulled 0
      cancel alice all signed phone nonce +3ms                 ${tooMany}
      cancel alice all signed phone nonce +0ms                 ${USED}
      cancel alice all signed laptop nonce +3ms                pulled 0
      -- the first leaves the window one millisecond after its sixty seconds
      wait 60s
      cancel alice all signed phone nonce +0ms                 ${tooMany}
      wait 1ms
      cancel alice all signed phone nonce +0ms                 pulled 0
      cancel alice all signed phone nonce +1ms                 ${tooMany}
      cancel alice all signed phone nonce -60s                 ${USED}
    `,
      { noncesPerKeyMax: 3 },
    );
  });

  test('a replaced approval keeps its spent nonces', () => {
    scenario(`
      approve alice phone for 1d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +1s        rested
      approve alice phone for 2d
      buy alice AAPL-C-200 1 @ 1 signed phone nonce +1s        ${USED}
    `);
  });
});
