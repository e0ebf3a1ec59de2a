import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AuditRecord, auditHash, type SettlementAttempt } from '@venue/protocol';
import { scenario } from '../../test/scenario.ts';
import { expiryOnDay, micros, seriesIdOf, type Venue } from '../../test/venue.ts';
import { restoreState, stateDigest, stateLines } from '../snapshot.ts';
import { SETTLE_PROPOSALS_MAX } from '../state/limits.ts';

/** AAPL is refused with an anchor of 200: the last prints are 200, 199 and 201. */
const REFUSED = `
      wait to cutoff -2h
      print a AAPL 199
      print b AAPL 201
      wait to cutoff 1ms
      maintain
      decision AAPL day 1                        anchor 200 price none
`;
const TARGET = { seriesId: seriesIdOf('AAPL-C-190') };
const PRICE = micros('201');

describe('CUS-10 two people settle, each with one secret', () => {
  test('one proposes, the other confirms, in either order', () => {
    scenario(`${REFUSED}
      propose AAPL-C-190 201 with first          settles 1
      status AAPL-C-190                          pending-review
      confirm AAPL-C-190 201 with second         settled 1
      decision AAPL day 1                        price 201 by hand
      status AAPL-C-190                          settled
      propose AAPL day 1 201 with second         settles 81
      confirm AAPL day 1 201 with first          settled 81
    `);
  });

  test('the proposer sees what would happen', () => {
    const venue = scenario(REFUSED);
    const expiry = { symbol: 'AAPL', expiryTs: expiryOnDay(1) };
    const outcome = venue.apply({
      kind: 'settle-propose',
      target: expiry,
      priceMicros: PRICE,
      secrets: [false, true],
    });
    assert.ok(!('refusal' in outcome));
    const { proposal, decision, settles, deviationMicroBps, boundBps } = outcome;
    const { seq, ts } = venue.state;
    assert.deepEqual(proposal, { id: seq, secret: 2, target: expiry, priceMicros: PRICE, ts });
    assert.deepEqual([decision.anchorMicros, settles.length], [micros('200'), 82]);
    assert.deepEqual([deviationMicroBps, boundBps], [micros('50'), 100]);
  });

  test('nobody confirms a proposal of their own, nor blindly', () => {
    scenario(`${REFUSED}
      propose AAPL-C-190 201 with first          settles 1
      confirm AAPL-C-190 201 with first          refused the other secret has to confirm
      confirm AAPL-C-190 200 with second         refused not the target and price that were proposed
      confirm AAPL-C-195 201 with second         refused not the target and price that were proposed
      confirm AAPL day 1 201 with second         refused not the target and price that were proposed
      confirm AAPL-C-190 201 with none           refused wrong credential
      confirm AAPL-C-190 201 with both           refused one secret only — two people settle, each with theirs
      confirm AAPL-C-190 201 with second         settled 1
    `);
  });

  test('OPS-2 of named operators two settle, and no name stands for a secret or a secret for a name', () => {
    const venue = scenario(REFUSED);
    const attempt = (kind: 'settle-propose' | 'settle-confirm', who: object, id = venue.state.seq) => {
      const named = { target: TARGET, priceMicros: PRICE, secrets: [true, false] as const, ...who };
      const outcome = venue.apply(kind === 'settle-propose' ? { kind, ...named } : { kind, id, ...named });
      return 'refusal' in outcome ? outcome.refusal : 'ok';
    };
    const second = { secrets: [false, true] as const };
    assert.equal(attempt('settle-propose', { by: 'dan', secrets: [false, false] }), 'wrongRole');
    assert.equal(attempt('settle-propose', { by: 'ann' }), 'ok');
    const { seq } = venue.state;
    assert.equal(restoreState(stateLines(venue.state)).settleProposals[0]?.by, 'ann');
    assert.equal(attempt('settle-confirm', { by: 'ann' }, seq), 'ownProposal');
    assert.equal(attempt('settle-confirm', { by: 'ann', ...second }, seq), 'ownProposal');
    assert.equal(attempt('settle-confirm', second, seq), 'ownProposal');
    assert.equal(attempt('settle-confirm', { by: 'dan', secrets: [false, false] }, seq), 'wrongRole');
    assert.equal(attempt('settle-confirm', { by: 'bo' }, seq), 'ok');
    const audited = venue.state.audit.entries.map((entry) => [
      entry.by,
      'step' in entry && entry.step?.secret,
      entry.reason,
    ]);
    assert.deepEqual(audited.at(0), ['dan', null, 'this operator has not the role that it takes']);
    assert.deepEqual(audited.at(-1), ['bo', null, null]);
    for (const entry of venue.state.audit.entries) assert.equal(entry.hash, auditHash(entry));
  });

  test('OPS-2 each name has room for its own proposals', () => {
    const venue = scenario(REFUSED);
    const propose = (by: string) =>
      venue.apply({
        ...{ kind: 'settle-propose', by, target: TARGET, priceMicros: PRICE },
        secrets: [true, false],
      });
    for (let i = 0; i < SETTLE_PROPOSALS_MAX; i++) assert.ok(!('refusal' in propose('ann')));
    assert.deepEqual(propose('ann'), { refusal: 'tooManyProposals' });
    assert.ok(!('refusal' in propose('bo')));
  });

  test('the gates of the direct call judge a proposal', () => {
    scenario(`${REFUSED}
      propose AAPL-C-190 201 with none           refused wrong credential
      propose AAPL-C-190 201 with both           refused one secret only — two people settle, each with theirs
      propose AAPL-C-190 202.000001 with first   refused price outside the bound of the last oracle print
      propose AAPL-C-190 0 with first            refused bad price
      propose AAPL-C-190/2 200 with first        refused not pending review
      propose NONE day 1 200 with first          refused no such series or expiry
      settle AAPL-C-195 200                      settled 1
      propose AAPL-C-195 200 with first          refused series settled
      propose AAPL-C-190 201 with first          refused price differs from the one decided for this expiry
    `);
  });

  test('and judge the confirmation again', () => {
    scenario(`${REFUSED}
      propose AAPL-C-190 201 with first          settles 1
      settle AAPL-C-195 200                      settled 1
      confirm AAPL-C-190 201 with second         refused price differs from the one decided for this expiry
    `);
  });
});

describe('CUS-10 a proposal ends', () => {
  test('after a quarter of an hour, to the millisecond', () => {
    scenario(`${REFUSED}
      propose AAPL-C-190 201 with first          settles 1
      wait 899999ms
      confirm AAPL-C-190 201 with first          refused the other secret has to confirm
      wait 1ms
      confirm AAPL-C-190 201 with second         refused no such proposal, or it has ended
    `);
  });

  test('when its target is settled by other means, and no sooner', () => {
    scenario(`${REFUSED}
      propose AAPL day 1 201 with first          settles 82
      settle AAPL-C-190 201                      settled 1
      confirm AAPL day 1 201 with second         settled 81
    `);
    const venue = scenario(`${REFUSED}
      propose AAPL-C-190 201 with first          settles 1
      settle AAPL day 1 201                      settled 82
    `);
    assert.deepEqual(venue.state.settleProposals, []);
  });

  test('not when anybody proposes again, so that a thief of one secret ends nothing of its owner', () => {
    const venue = scenario(`${REFUSED}
      propose AAPL-C-190 201 with first          settles 1
    `);
    const [own] = idsOf(venue);
    for (let n = 1; n < SETTLE_PROPOSALS_MAX; n++)
      scenario('propose AAPL-C-190 200 with first          settles 1', venue);
    scenario(
      `
      propose AAPL-C-190 200 with first          refused too many proposals of this secret wait
      propose AAPL-C-195 300 with first          refused price outside the bound of the last oracle print
      propose AAPL-C-190 199 with second         settles 1
    `,
      venue,
    );
    assert.equal(idsOf(venue).length, SETTLE_PROPOSALS_MAX + 1);
    const secrets = [false, true] as const;
    const confirmed = { kind: 'settle-confirm', id: own!, target: TARGET, priceMicros: PRICE } as const;
    assert.ok(!('refusal' in venue.apply({ ...confirmed, secrets: [...secrets] })));
    // All of them named the same series.
    assert.deepEqual(idsOf(venue), []);
  });

  test('and makes room for another of its secret', () => {
    const venue = scenario(REFUSED);
    for (let n = 0; n < SETTLE_PROPOSALS_MAX; n++)
      scenario('propose AAPL-C-190 200 with first          settles 1', venue);
    scenario(
      `
      propose AAPL-C-190 201 with first          refused too many proposals of this secret wait
      wait 900000ms
      propose AAPL-C-190 201 with first          settles 1
    `,
      venue,
    );
  });

  test('and leaves no trace in the state: it is as one without proposals but for the audit', () => {
    const venue = scenario(`${REFUSED}
      propose AAPL-C-190 201 with first          settles 1
    `);
    const inSnapshot = () => restoreState(stateLines(venue.state)).settleProposals.length;
    assert.equal(inSnapshot(), 1);
    venue.wait(900_000);
    venue.print('AAPL', 'a', '200');
    assert.equal(inSnapshot(), 0);
    assert.equal(stateDigest(restoreState(stateLines(venue.state))), stateDigest(venue.state));
  });

  function idsOf({ state }: Venue): number[] {
    return state.settleProposals.map(({ id }) => id);
  }
});

test('CUS-10 every attempt is in the audit, with its step, and the chain holds', () => {
  const venue = scenario(`${REFUSED}
      settle AAPL-C-190 300                      refused price outside the bound of the last oracle print
      propose AAPL-C-190 300 with second         refused price outside the bound of the last oracle print
      propose AAPL-C-190 201 with second         settles 1
      confirm AAPL-C-190 201 with none           refused wrong credential
      confirm AAPL-C-190 201 with first          settled 1
    `);
  const { head } = venue.state.audit;
  const entries = venue.state.audit.entries as AuditRecord<SettlementAttempt>[];
  const proposal = entries[2]!.seq;
  assert.deepEqual(
    entries.map(({ step, reason }) => [step, reason === null]),
    [
      [undefined, false],
      [{ act: 'propose', proposal: null, secret: 2 }, false],
      [{ act: 'propose', proposal, secret: 2 }, true],
      [{ act: 'confirm', proposal, secret: null }, false],
      [{ act: 'confirm', proposal, secret: 1 }, true],
    ],
  );
  assert.deepEqual(
    entries[4]!.gates.map(({ gate, passed }) => `${gate} ${passed}`),
    [
      ...['one secret true', 'open proposal true', 'other secret true', 'as proposed true'],
      ...['pending review true', 'sound price true', 'anchor true', 'within bound true'],
      ...['one price an expiry true', 'payable true'],
    ],
  );
  for (const entry of entries) assert.equal(entry.hash, auditHash(entry));
  assert.equal(head, entries[4]!.hash);
});
