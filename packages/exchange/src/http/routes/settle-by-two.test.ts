import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { SETTLE_PROPOSAL_MS } from '@venue/engine';
import { HandSettleAnswerSchema, SettleProposeAnswerSchema } from '@venue/protocol/wire';
import { VenueClient, verifyAudit } from '@venue/sdk/operators';
import { Compile } from 'typebox/schema';
import { ExpiringVenue, OPERATOR_TOKEN, SETTLE_TOKEN_1, SETTLE_TOKEN_2 } from '../../../test/expiring.ts';
import type { Json, Reply } from '../../../test/support.ts';

const ALICE = { 'x-settle-token-1': SETTLE_TOKEN_1 };
const BOB = { 'x-settle-token-2': SETTLE_TOKEN_2 };

/** The exchange of these tests has no secret of settlement, but the hashes of both. */
const HASHED = {
  VENUE_SETTLE_TOKEN_1: '',
  VENUE_SETTLE_TOKEN_2: '',
  VENUE_SETTLE_HASH_1: sha256(SETTLE_TOKEN_1),
  VENUE_SETTLE_HASH_2: sha256(SETTLE_TOKEN_2),
};

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function seen({ status, body }: Reply): [number, Json] {
  return [status, body.error ?? body.settled];
}

describe('CUS-10 two people settle over HTTP, each with one secret', () => {
  let expiring: ExpiringVenue;
  let all: { symbol: string; expiryTs: number; price: number };
  before(async () => {
    expiring = await ExpiringVenue.start(HASHED);
    await expiring.expireAt({ a: 101_000 });
    all = { symbol: 'btc', expiryTs: expiring.expiryTs, price: 101_000 };
  });
  after(() => expiring.stop());

  const post = (step: string, body: unknown, headers: Record<string, string>) =>
    expiring.venue.post(`/v1/operator/settle/${step}`, body, { headers });
  const series = (strike: number) => ({ seriesId: expiring.series('C', strike), price: 101_000 });

  it('a proposal answers with what a confirmation would do', async () => {
    const { status, body } = await post('propose', all, ALICE);
    assert.equal(status, 200);
    assert.ok(Compile(SettleProposeAnswerSchema).Check(body));
    const { id, expiresAt, ...rest } = body;
    const entry = (await expiring.audit()).at(-1);
    assert.deepEqual([id, expiresAt], [entry.seq, entry.ts + SETTLE_PROPOSAL_MS]);
    assert.deepEqual(rest, {
      ...{ ok: true, symbol: 'BTC', expiryTs: expiring.expiryTs, price: 101_000 },
      ...{ anchor: 100_500, deviationBps: 49.751243, boundBps: 100, settles: expiring.all() },
    });
  });

  it('is confirmed by the other secret alone, with the same words, also after a restart', async () => {
    const { id } = (await post('propose', series(98_000), BOB)).body;
    const same = { id, ...series(98_000) };
    for (const [body, headers, answer] of [
      [same, BOB, [403, 'the other secret has to confirm']],
      [same, {}, [403, 'wrong credential']],
      [same, { 'x-settle-token-1': sha256(SETTLE_TOKEN_1) }, [403, 'wrong credential']],
      [same, { 'x-operator-token': OPERATOR_TOKEN }, [403, 'this operator has not the role that it takes']],
      [same, { ...ALICE, ...BOB }, [400, 'one secret only — two people settle, each with theirs']],
      [{ ...same, id: id + 1 }, ALICE, [404, 'no such proposal, or it has ended']],
      [{ ...same, price: 101_000.000001 }, ALICE, [409, 'not the target and price that were proposed']],
      [{ id, ...all }, ALICE, [409, 'not the target and price that were proposed']],
      [series(98_000), ALICE, [400, 'id required']],
      [{ ...same, id: '1' }, ALICE, [400, 'id must be an integer']],
      [{ id }, ALICE, [400, 'seriesId required']],
    ] as const) {
      const { length } = await expiring.audit();
      assert.deepEqual(seen(await post('confirm', body, headers)), answer);
      const audit = await expiring.audit();
      assert.equal(audit.length, length + 1, 'every attempt is recorded');
      assert.deepEqual([audit.at(-1).step.act, audit.at(-1).accepted], ['confirm', false]);
    }
    await expiring.restart();
    const settled = await post('confirm', same, ALICE);
    assert.ok(Compile(HandSettleAnswerSchema).Check(settled.body));
    assert.deepEqual(seen(settled), [200, [same.seriesId]]);
    assert.deepEqual(seen(await post('confirm', same, ALICE)), [404, 'no such proposal, or it has ended']);
  });

  it('of two confirmations at once one settles', async () => {
    const { id } = (await post('propose', series(99_000), ALICE)).body;
    const bodies = [
      { id, ...series(99_000) },
      { id, ...series(99_000) },
    ];
    const replies = await Promise.all(bodies.map((body) => post('confirm', body, BOB)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404]);
  });

  it('what the direct call would be refused for is refused to the proposer', async () => {
    for (const [body, headers, answer] of [
      [{ ...all, price: 105_000 }, ALICE, [400, 'price outside the bound of the last oracle print']],
      [{ ...all, price: 101_001 }, BOB, [400, 'price differs from the one decided for this expiry']],
      [series(99_000), ALICE, [400, 'series settled']],
      [{ ...all, seriesId: 'x' }, ALICE, [400, 'seriesId beside symbol malformed']],
      [{ ...all, seriesId: 'x' }, {}, [403, 'wrong credential']],
      [all, { ...ALICE, ...BOB }, [400, 'one secret only — two people settle, each with theirs']],
    ] as const)
      assert.deepEqual(seen(await post('propose', body, headers)), answer);
  });

  it('the call with both secrets works beside it, and the audit holds over all of them', async () => {
    const direct = await expiring.settle(series(100_000));
    assert.deepEqual(seen(direct), [200, [expiring.series('C', 100_000)]]);
    const { operator } = new VenueClient({ url: expiring.venue.url });
    const verdict = await verifyAudit(operator.audit(OPERATOR_TOKEN));
    assert.ok(!('fault' in verdict), JSON.stringify(verdict));
    assert.equal(verdict.count, (await expiring.audit()).length);
    const forged = (await expiring.audit()).map((entry) =>
      entry.step?.secret ? { ...entry, step: { ...entry.step, secret: 3 - entry.step.secret } } : entry,
    );
    assert.match(JSON.stringify(await verifyAudit(forged)), /entry 1 does not have the hash/);
  });
});
