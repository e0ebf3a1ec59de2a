import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Hex, ZERO } from '@venue/protocol';
import { addressOf, Venue } from '../../test/venue.ts';
import type { AttestCommand, ParkCommand } from '../entry/command.ts';
import { isRefused } from '../entry/outcome.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import {
  PARKED_ANSWERS_KEPT,
  PARKED_MAX,
  PARKED_MS,
  PARKED_PER_ADDRESS_MAX,
  PARKED_REVOCATIONS_MAX,
} from '../state/limits.ts';
import { openParked } from './parked.ts';

const SAFE = addressOf('safe');
const BLOCK = { chainId: 1, blockNumber: 7, blockHash: `0x${'ab'.repeat(32)}` as Hex };
const DAY_MS = 86_400_000;

function park(venue: Venue, changes: Partial<ParkCommand> = {}) {
  const terms = { act: 'approve', address: SAFE, sessionKey: addressOf('phone'), signature: '0x' } as const;
  return venue.apply({ kind: 'park', ...terms, expiresAt: venue.nowMs + DAY_MS, ...changes });
}

function parkedId(outcome: ReturnType<typeof park>): number {
  if (isRefused(outcome)) assert.fail(outcome.refusal);
  return outcome.parked.id;
}

function attest(venue: Venue, id: number, verdict: AttestCommand['verdict'] = 'valid') {
  return venue.apply({ kind: 'attest', id, verdict, ...BLOCK });
}

function answered(outcome: ReturnType<typeof attest>) {
  if (isRefused(outcome)) assert.fail(outcome.refusal);
  return outcome.answer;
}

const sessionOf = (venue: Venue) =>
  venue.state.accountByAddress.get(SAFE)?.sessions.get(addressOf('phone')) ?? assert.fail('no session');

describe('CUS-19: approvals by contract wallets', () => {
  test('do nothing until they are attested, then what the approval of a key does', () => {
    const venue = Venue.listed();
    const id = parkedId(park(venue, { signature: '0x12' }));
    assert.equal(venue.state.accountByAddress.has(SAFE), false);
    const { refusal, attestation } = answered(attest(venue, id));
    assert.deepEqual([refusal, attestation], [null, BLOCK]);
    const session = sessionOf(venue);
    assert.deepEqual(
      [session.approval, session.attestation, session.approvedAt],
      ['0x12', BLOCK, venue.nowMs],
    );
    assert.equal(venue.state.accountByAddress.get(SAFE)!.cashMicros, 100_000_000_000);
    assert.deepEqual(attest(venue, id), { refusal: 'unknownParked' }, 'an answer counts once');
  });

  test('are refused for any other answer, and open no account', () => {
    const venue = Venue.listed();
    for (const [verdict, refusal] of [
      ['no-contract', 'noContract'],
      ['invalid', 'notSignedByContract'],
      ['failed', 'contractFailed'],
    ] as const)
      assert.equal(answered(attest(venue, parkedId(park(venue)), verdict)).refusal, refusal);
    assert.equal(venue.state.accountByAddress.has(SAFE), false);
    assert.deepEqual(openParked(venue.state), []);
  });

  test('lapse after ten minutes, and are remembered as lapsed', () => {
    const venue = Venue.listed();
    const id = parkedId(park(venue));
    venue.wait(PARKED_MS - 1);
    assert.equal(openParked(venue.state, venue.nowMs).length, 1);
    venue.wait(1);
    assert.deepEqual(attest(venue, id), { refusal: 'unknownParked' });
    venue.maintain([1]);
    assert.equal(venue.state.parked.size, 0);
    assert.deepEqual(
      venue.state.parkedAnswers.map((one) => [one.id, one.refusal]),
      [[id, 'parkedLapsed']],
    );
  });

  test('are judged again when they are answered: the rules may have changed their mind', () => {
    const venue = Venue.listed();
    const id = parkedId(park(venue, { expiresAt: venue.nowMs + 60_000 }));
    venue.wait(60_000);
    assert.equal(answered(attest(venue, id)).refusal, 'badExpiry');
  });

  test('are bounded for an address and in all; a full lot keeps what it has', () => {
    const venue = Venue.listed();
    const own = parkedId(park(venue));
    for (let i = 1; i < PARKED_PER_ADDRESS_MAX; i++) parkedId(park(venue, { signature: `0x0${i}` }));
    assert.deepEqual(park(venue, { signature: '0xff' }), { refusal: 'tooManyParked' });
    for (let i = PARKED_PER_ADDRESS_MAX; i < PARKED_MAX; i++)
      parkedId(park(venue, { address: addressOf(`stranger ${i}`) }));
    assert.deepEqual(park(venue, { address: addressOf('one more') }), { refusal: 'tooManyParked' });
    assert.equal(parkedId(park(venue)), own, 'the same one is parked already');
    assert.equal(answered(attest(venue, own)).refusal, null);
    parkedId(park(venue, { address: addressOf('one more') }));
  });

  test('of strangers, and a flood of them for the address, keep no owner from revoking a session', () => {
    const venue = Venue.listed();
    const expiresAt = venue.nowMs + DAY_MS;
    for (const key of ['phone', 'laptop'])
      answered(attest(venue, parkedId(park(venue, { expiresAt, sessionKey: addressOf(key) }))));
    for (let i = 0; i < PARKED_MAX; i++) parkedId(park(venue, { address: addressOf(`stranger ${i}`) }));
    const forOwner = (i: number) => park(venue, { sessionKey: addressOf(`junk ${i}`) });
    for (let i = 0; i < PARKED_PER_ADDRESS_MAX; i++) parkedId(forOwner(i));
    assert.deepEqual(forOwner(PARKED_PER_ADDRESS_MAX), { refusal: 'tooManyParked' });
    const revoke = (key: string, i: number) =>
      park(venue, { act: 'revoke', expiresAt, sessionKey: addressOf(key), signature: `0x${i + 10}` });
    const [own] = Array.from({ length: PARKED_REVOCATIONS_MAX }, (_, i) => parkedId(revoke('phone', i)));
    assert.deepEqual(revoke('phone', 89), { refusal: 'tooManyParked' });
    parkedId(revoke('laptop', 0));
    assert.equal(answered(attest(venue, own!)).refusal, null);
    assert.equal(sessionOf(venue).revokedAt, venue.nowMs);
  });

  test('of an account have room where strangers have taken all of theirs', () => {
    const venue = Venue.listed();
    answered(attest(venue, parkedId(park(venue))));
    for (let i = 0; i < PARKED_MAX; i++) parkedId(park(venue, { address: addressOf(`stranger ${i}`) }));
    assert.deepEqual(park(venue, { address: addressOf('one more') }), { refusal: 'tooManyParked' });
    parkedId(park(venue, { sessionKey: addressOf('laptop') }));
  });

  test('leave answers behind, of which the newest are kept', () => {
    const venue = Venue.listed();
    for (let i = 0; i <= PARKED_ANSWERS_KEPT; i++) attest(venue, parkedId(park(venue)), 'invalid');
    assert.equal(venue.state.parkedAnswers.length, PARKED_ANSWERS_KEPT);
  });

  test('are not for an account whose own key approves: the attestor cannot speak for it', () => {
    const venue = Venue.listed();
    const id = parkedId(park(venue));
    const approval = { sessionKey: addressOf('laptop'), expiresAt: venue.nowMs + DAY_MS } as const;
    venue.apply({ kind: 'approve', address: SAFE, ...approval, signature: '0x01' });
    assert.equal(answered(attest(venue, id)).refusal, 'signsItself');
    assert.deepEqual(park(venue), { refusal: 'signsItself' });
  });

  test('CUS-1: are answered from the chain of the vault alone', () => {
    const venue = Venue.listed();
    const id = parkedId(park(venue));
    venue.state.custody.binding = {
      ...{ chainId: 5, vault: addressOf('vault'), funder: null },
      ...{ paidBeforeMicros: ZERO, depositedBeforeMicros: ZERO },
    };
    assert.deepEqual(attest(venue, id), { refusal: 'otherChain' });
    assert.equal(openParked(venue.state).length, 1);
  });

  test('are revoked the same way, by what names the expiry in force', () => {
    const venue = Venue.listed();
    const expiresAt = venue.nowMs + DAY_MS;
    answered(attest(venue, parkedId(park(venue, { expiresAt }))));
    assert.deepEqual(park(venue, { act: 'revoke', expiresAt: expiresAt + 1 }), {
      refusal: 'unknownSessionKey',
    });
    const id = parkedId(park(venue, { act: 'revoke', expiresAt, signature: '0x34' }));
    assert.equal(sessionOf(venue).revokedAt, null);
    assert.equal(answered(attest(venue, id)).refusal, null);
    const { revokedAt, revocation, revocationAttestation, approval } = sessionOf(venue);
    assert.deepEqual([revokedAt, revocation, revocationAttestation], [venue.nowMs, '0x34', BLOCK]);
    assert.equal(approval, '0x');
    assert.deepEqual(park(venue, { expiresAt }), { refusal: 'unknownSessionKey' }, 'a dead pair stays dead');
  });

  test('are in a snapshot, with their answers and attestations', () => {
    const venue = Venue.listed();
    const expiresAt = venue.nowMs + DAY_MS;
    answered(attest(venue, parkedId(park(venue, { expiresAt }))));
    answered(attest(venue, parkedId(park(venue, { act: 'revoke', expiresAt }))));
    parkedId(park(venue, { sessionKey: addressOf('laptop') }));
    const restored = restoreState(stateLines(venue.state));
    assert.equal(stateDigest(restored), stateDigest(venue.state));
    assert.deepEqual(restored.parked, venue.state.parked);
    assert.deepEqual(restored.parkedAnswers, venue.state.parkedAnswers);
    const session = restored.accountByAddress.get(SAFE)!.sessions.get(addressOf('phone'))!;
    assert.deepEqual([session.attestation, session.revocationAttestation], [BLOCK, BLOCK]);
  });
});
