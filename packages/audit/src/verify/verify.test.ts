// @process audit
// @seconds 7

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApproveCommand, type BatchCommand, stateDigest } from '@venue/engine';
import { type BatchAction, sessionApprovalMessage } from '@venue/protocol';
import { sharedVerifier } from '../../../exchange/test/shared-verifier.ts';
import {
  ALICE,
  BOB,
  EXPIRY_TS,
  LOG_ID,
  reseal,
  SERIES_ID,
  SignedLog,
  tamper,
  trade,
  traderOf,
} from '../../../exchange/test/signed-log.ts';
import { type VerifyOptions, verifyLog } from './verify.ts';

const verify = async (options: VerifyOptions) => verifyLog({ verifier: await sharedVerifier(), ...options });

describe('a sound log', () => {
  it('is verified to the state of the venue, every signature in it', async () => {
    const venue = await SignedLog.open();
    await trade(venue);
    await venue.snapshot();
    await venue.append({ kind: 'open', address: traderOf(9).address });
    await venue.append({ kind: 'margin', account: ALICE.address, enabled: true });
    await venue.snapshot();
    await venue.stop();

    const { facts, snapshots, log } = await verifyLog({ log: venue.spec });
    assert.equal(facts.fault, null);
    assert.equal(facts.trusted, null);
    const { entries } = facts;
    assert.equal(entries!.stateDigest, stateDigest(venue.state));
    assert.deepEqual([entries!.fromSeq, entries!.toSeq], [1, venue.state.seq]);
    assert.deepEqual(entries!.signatures, { approve: 2, cancel: 2, 'cancel-order': 1, margin: 1, order: 5 });
    assert.deepEqual(entries!.unsigned, { margin: 1 });
    assert.equal(entries!.custody, null);
    assert.deepEqual(
      snapshots.map(({ found }) => found),
      ['the state after its entry', 'the state after its entry'],
    );
    assert.equal(log, venue.spec);
  });

  it('CUS-19: counts the approvals that rest on an attestation, and proves what their keys signed', async () => {
    const venue = await SignedLog.open('deposits');
    const safe = traderOf(12);
    const approval = venue.approval(safe) as ApproveCommand;
    await venue.append({ ...approval, kind: 'park', act: 'approve', signature: '0x1234' });
    const answer = {
      id: venue.state.seq,
      chainId: 1,
      blockNumber: 7,
      blockHash: `0x${'b1'.repeat(32)}`,
    } as const;
    await venue.append({ kind: 'attest', verdict: 'valid', ...answer });
    await venue.append(venue.margin(safe, true));
    await venue.stop();
    const { facts } = await verify({ log: venue.spec });
    assert.equal(facts.fault, null);
    assert.equal(facts.entries!.attested, 1);
    assert.deepEqual(facts.entries!.signatures, { approve: 2, margin: 1 });
  });

  it('DEP-1 PAY-3: in deposits mode shows what came in and went out', async () => {
    const venue = await SignedLog.open('deposits');
    await trade(venue);
    await venue.append({ kind: 'commit', ids: [1], txHash: `0x${'cd'.repeat(32)}` });
    await venue.append(venue.withdrawal(BOB, 0.5));
    await venue.stop();
    const { facts } = await verify({ log: venue.spec });
    assert.equal(facts.fault, null);
    assert.deepEqual(facts.entries!.custody, {
      deposits: 2,
      depositedMicros: '100000000000',
      withdrawals: 2,
      pendingMicros: '500000',
      committedMicros: '100000000',
      accountsMicros: '99899500000',
    });
    assert.equal(facts.entries!.signatures.withdraw, 2);
  });

  it('gives two people one report digest, and another for another log or another end', async () => {
    const [venue, cheaper] = [await SignedLog.open(), await SignedLog.open()];
    for (const [log, price] of [
      [venue, 100],
      [cheaper, 99],
    ] as const) {
      await trade(log);
      await log.append(log.order(BOB, 'buy', { price }));
      await log.stop();
    }
    const [one, other] = [
      await verify({ log: venue.spec }),
      await verifyLog({ log: venue.spec, workers: 3 }),
    ];
    assert.deepEqual(one, other);
    const ofCheaper = await verify({ log: cheaper.spec });
    assert.deepEqual([ofCheaper.facts.fault, ofCheaper.facts.entries!.toSeq], [null, venue.state.seq]);
    assert.notEqual(ofCheaper.reportDigest, one.reportDigest);
    const atOrders = await verify({ log: venue.spec, to: 7 });
    assert.notEqual(atOrders.reportDigest, one.reportDigest);
    assert.equal(atOrders.facts.entries!.toSeq, 7);
    await assert.rejects(verify({ log: venue.spec, to: 700 }), {
      name: 'LogToolError',
      message: /no entry 700/,
    });
  });

  it('is verified beside the node that goes on appending to it', async () => {
    const venue = await SignedLog.open();
    const verifying = verify({ log: venue.spec });
    await trade(venue);
    const { facts } = await verifying;
    assert.equal(facts.fault, null);
    const { facts: later } = await verify({ log: venue.spec });
    assert.deepEqual([later.fault, later.entries!.toSeq], [null, venue.state.seq]);
    await venue.stop();
  });
});

describe('batches (BAT-1, VEN-1)', () => {
  const place = (qtyMicros: number, clientId: string): BatchAction => ({
    ...{ type: 'place', seriesId: SERIES_ID, side: 'buy', qtyMicros, priceMicros: 1_000_000 },
    ...{ tif: 'gtd', expiresAt: EXPIRY_TS * 1_000, flag: 'post-only', stp: 'both', clientId },
  });
  const ACTIONS: readonly BatchAction[] = [
    place(1_000_000, 'a'),
    { type: 'amend', ref: { clientId: 'a' }, qtyMicros: 2_000_000 },
    { type: 'cancel', ref: { clientId: 'a' } },
    { type: 'cancel-all', scope: { symbols: ['BTC'] }, side: 'buy' },
    { type: 'guard', ms: 60_000 },
  ];

  it('are proven action by action, with the id in force at their entry', async () => {
    const venue = await SignedLog.open();
    await venue.append(venue.batch(ALICE, ACTIONS));
    await venue.append({ kind: 'rekey', venue: 'f'.repeat(32) });
    await venue.append(venue.batch(ALICE, ACTIONS));
    await venue.snapshot();
    await venue.stop();
    const { facts } = await verify({ log: venue.spec });
    assert.equal(facts.fault, null);
    assert.equal(facts.entries!.signatures.batch, 2);
  });

  it('signed for another venue, or for the id before, are a fault', async () => {
    for (const rekeyed of [false, true]) {
      const venue = await SignedLog.open();
      if (rekeyed) await venue.append({ kind: 'rekey', venue: 'f'.repeat(32) });
      await venue.append(venue.batch(ALICE, ACTIONS, rekeyed ? LOG_ID : 'e'.repeat(32)));
      await venue.stop();
      const { facts } = await verify({ log: venue.spec });
      assert.equal(facts.fault!.seq, venue.state.seq);
      assert.match(facts.fault!.message, /signature of entry \d+ \(batch\) is not by 0x/);
    }
  });

  it('with another action, count or order than was signed are a fault', async () => {
    const others: readonly (readonly BatchAction[])[] = [
      [place(1_000_001, 'a'), ...ACTIONS.slice(1)],
      ACTIONS.slice(1),
      ACTIONS.toReversed(),
    ];
    for (const actions of others) {
      const venue = await SignedLog.open();
      const signed = venue.batch(ALICE, ACTIONS) as BatchCommand;
      await venue.append({ ...signed, actions });
      await venue.stop();
      const { facts } = await verify({ log: venue.spec });
      assert.match(facts.fault?.message ?? 'verified', /signature of entry \d+ \(batch\) is not by 0x/);
    }
  });
});

describe('revocations (KEY-3)', () => {
  const expiryOf = (venue: SignedLog) =>
    venue.state.accountByAddress.get(ALICE.address)!.sessions.get(ALICE.session.address)!.expiresAt;

  it('fit by their own text or by that of the approval, with any expiry that the session knows', async () => {
    const venue = await SignedLog.open();
    const first = expiryOf(venue);
    await venue.append(venue.approval(ALICE, 60_000));
    assert.notEqual(expiryOf(venue), first);
    await venue.append(venue.revocation(ALICE, expiryOf(venue)));
    await venue.append(venue.revocation(ALICE, first));
    await venue.append(venue.revocation(ALICE, first, sessionApprovalMessage));
    await venue.stop();
    const { facts } = await verify({ log: venue.spec });
    assert.equal(facts.fault, null);
    assert.equal(facts.entries!.signatures.revoke, 3);
  });

  it('do not fit with an expiry that was never approved', async () => {
    const venue = await SignedLog.open();
    await venue.append(venue.revocation(ALICE, expiryOf(venue) + 1));
    await venue.stop();
    const { facts } = await verify({ log: venue.spec });
    assert.equal(facts.fault!.seq, venue.state.seq);
    assert.match(facts.fault!.message, /signature of entry \d+ \(revoke\) is not by 0x/);
  });

  it('of what nobody approved are refused by the engine, and counted', async () => {
    const venue = await SignedLog.open();
    await venue.append(venue.revocation(traderOf(7), expiryOf(venue)));
    await venue.stop();
    const { facts } = await verify({ log: venue.spec });
    assert.deepEqual([facts.fault, facts.entries!.voidRevocations], [null, 1]);
  });
});

describe('entries that were skipped', () => {
  async function poisoned(): Promise<{ venue: SignedLog; seq: number }> {
    const venue = await SignedLog.open();
    await trade(venue);
    await venue.stop();
    const seq = venue.state.seq;
    const body = Buffer.from(JSON.stringify({ parameters: { ...venue.state.parameters, symbols: null } }));
    tamper(venue.path, 'UPDATE log SET kind = ?, body = ? WHERE seq = ?', 'configure', body, seq);
    reseal(venue.path);
    return { venue, seq };
  }

  it('are a fault unless they are named', async () => {
    const { venue, seq } = await poisoned();
    const { facts } = await verify({ log: venue.spec });
    assert.match(facts.fault!.message, new RegExp(`^entry ${seq} \\(configure\\) cannot be applied: `));
    const { facts: skipped } = await verify({ log: venue.spec, skipSeqs: new Set([seq]) });
    assert.deepEqual([skipped.fault, skipped.entries!.skipped], [null, [seq]]);
  });

  it('may not be ones of a newer release, which other nodes apply (OWN-72)', async () => {
    const { venue, seq } = await poisoned();
    tamper(venue.path, 'UPDATE log SET kind = ? WHERE seq = ?', 'mystery', seq);
    reseal(venue.path);
    const { facts } = await verify({ log: venue.spec });
    assert.equal(
      facts.fault!.message,
      `entry ${seq} (mystery) cannot be read: unknown kind of log entry: mystery; if a newer release wrote it, verify with that one`,
    );
    await assert.rejects(verify({ log: venue.spec, skipSeqs: new Set([seq]) }), {
      message: `entry ${seq} (mystery) was written by a newer release; upgrade this node (unknown kind of log entry: mystery)`,
    });
  });

  it('may not be ones that can be applied', async () => {
    const { venue } = await poisoned();
    const { facts } = await verify({ log: venue.spec, skipSeqs: new Set([7]) });
    assert.equal(facts.fault!.message, 'entry 7 (order) can be applied, so it may not be skipped');
  });
});
