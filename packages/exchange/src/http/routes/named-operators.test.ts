import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { VenueClient, verifyAudit } from '@venue/sdk/operators';
import { ExpiringVenue, OPERATOR_TOKEN, SETTLE_TOKEN_1 } from '../../../test/expiring.ts';
import { type Json, type Reply, waitFor } from '../../../test/support.ts';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const secretOf = (name: string) => `${name}-secret-${name}-secret-${name}-secret`;
const by = (secret: string) => ({ 'x-operator-token': secret });
const ANN = by(secretOf('ann'));
const ANN_NEW = by(secretOf('new'));
const BO = by(secretOf('bo'));
const CY = by(secretOf('cy'));
const DAN = by(secretOf('dan'));
const line = (name: string, roles: string, ...secrets: string[]) =>
  `${name} ${roles} ${(secrets.length > 0 ? secrets : [name]).map((one) => hash('sha256', secretOf(one))).join(' ')}`;
const OTHERS = [line('bo', 'settle'), line('cy', 'custody'), line('dan', 'read')];
const ENV = {
  VENUE_FUNDING_MODE: 'deposits',
  VENUE_SETTLE_TOKEN_1: '',
  VENUE_SETTLE_TOKEN_2: '',
  VENUE_OPERATORS: [line('ann', 'operate,settle'), ...OTHERS].join('\n'),
};

const seen = ({ status, body }: Reply) => [status, body.error ?? 'ok'];
const WRONG_ROLE = [403, 'this operator has not the role that it takes'];

describe('OPS-2 operators with names', () => {
  let expiring: ExpiringVenue;
  before(async () => {
    expiring = await ExpiringVenue.start(ENV);
    await expiring.expireAt({ a: 101_000 });
  });
  after(() => expiring.stop());

  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    expiring.venue.post(`/v1/operator/${path}`, body, { headers });
  const get = (path: string, headers: Record<string, string>) =>
    expiring.venue.get(`/v1/operator/${path}`, { headers });
  const newest = async () => (await expiring.audit()).at(-1);
  /** Refusals of a role do not wait for the log. */
  const acts = (areAll: (entries: string[]) => boolean) =>
    waitFor(async () => {
      const entries = (await expiring.audit()).map(
        ({ by: name, action, terms }: Json) => `${name} ${action} ${terms}`,
      );
      return areAll(entries) ? entries : undefined;
    });

  it('each does what their roles allow, and reads', async () => {
    const freeze = { address: ADDRESS, frozen: true, reason: 'asked' };
    const wrong = [403, 'wrong credential'];
    for (const [path, body, who, answer] of [
      ['withdrawals/freeze', freeze, ANN, [404, 'unknown account']],
      ['withdrawals/freeze', freeze, CY, WRONG_ROLE],
      ['withdrawals/freeze', freeze, DAN, WRONG_ROLE],
      ['withdrawals/freeze', freeze, by('other'), wrong],
      ['withdrawals/freeze', freeze, {}, wrong],
      ['held/release', { address: ADDRESS }, CY, [400, 'nothing held for this address']],
      ['held/release', { address: ADDRESS }, ANN, WRONG_ROLE],
      ['held/release', { address: ADDRESS }, by(OPERATOR_TOKEN), [400, 'nothing held for this address']],
      ['epoch', { epoch: 1, reason: 'restored' }, BO, WRONG_ROLE],
      ['clock', { accept: true }, ANN, [200, 'ok']],
      ['clock', { accept: true }, CY, WRONG_ROLE],
    ] as const)
      assert.deepEqual(seen(await post(path, body, who)), answer, `${path} ${JSON.stringify(who)}`);
    for (const path of ['audit', 'exposure', 'held', 'payouts', 'deposits'])
      for (const who of [ANN, BO, CY, DAN]) assert.equal((await get(path, who)).status, 200, path);
    const commit = { ids: [1], txHash: `0x${'ab'.repeat(32)}` };
    assert.deepEqual(seen(await post('payouts/commit', commit, CY)), wrong, 'no name stands in for a daemon');
    const done = await acts((entries) => entries.length >= 8);
    const carriedOut = done.filter((act) => !/overstep/.test(act)).map((act) => act.replace(/ {.*/, ''));
    assert.deepEqual(carriedOut, ['ann freeze-withdrawals', 'cy release', 'operator release']);
  });

  it('what a role refuses is in the audit by name, once an hour, and a stranger is not', async () => {
    const freeze = { address: ADDRESS, frozen: true, reason: secretOf('cy') };
    for (let n = 0; n < 20; n++) {
      assert.deepEqual(seen(await post('withdrawals/freeze', freeze, CY)), WRONG_ROLE);
      await post('withdrawals/freeze', freeze, by(`stranger ${n}`));
    }
    assert.deepEqual(seen(await post('payouts/void', { id: 1, reason: 'none' }, ANN)), WRONG_ROLE);
    const oversteps = (await acts((entries) => entries.some((act) => /void/.test(act)))).filter((act) =>
      /overstep/.test(act),
    );
    assert.deepEqual(oversteps, [
      ...['cy', 'dan'].map((name) => `${name} overstep {"route":"POST /v1/operator/withdrawals/freeze"}`),
      'ann overstep {"route":"POST /v1/operator/held/release"}',
      'bo overstep {"route":"POST /v1/operator/epoch"}',
      'cy overstep {"route":"POST /v1/operator/clock"}',
      'ann overstep {"route":"POST /v1/operator/payouts/void"}',
    ]);
    const { accepted, reason } = (await expiring.audit()).find(({ action }: Json) => action === 'overstep');
    assert.deepEqual([accepted, reason], [false, WRONG_ROLE[1]]);
  });

  it('two different ones settle, whatever else they show', async () => {
    const target = (strike: number) => ({ seriesId: expiring.series('C', strike), price: 101_000 });
    assert.deepEqual(seen(await post('settle/propose', target(98_000), DAN)), WRONG_ROLE);
    assert.equal((await newest()).by, 'dan');
    assert.deepEqual(seen(await post('settle/propose', target(98_000), by(OPERATOR_TOKEN))), WRONG_ROLE);
    const { id } = (await post('settle/propose', target(98_000), ANN)).body;
    const same = { id, ...target(98_000) };
    assert.deepEqual(seen(await post('settle/confirm', same, ANN)), [403, 'the other secret has to confirm']);
    for (const token of [SETTLE_TOKEN_1, secretOf('bo')])
      assert.deepEqual(seen(await post('settle/confirm', same, { ...BO, 'x-settle-token-2': token })), [
        403,
        'wrong credential',
      ]);
    assert.deepEqual(seen(await post('settle', target(98_000), BO)), [403, 'wrong credential']);
    assert.deepEqual(seen(await post('settle/confirm', same, BO)), [200, 'ok']);
    const { by: name, step } = await newest();
    assert.deepEqual([name, step], ['bo', { act: 'confirm', proposal: id, secret: null }]);
  });

  it('in a rotation both secrets are the same person, and after it the older one is nobody’s', async () => {
    const target = { seriesId: expiring.series('P', 99_000), price: 101_000 };
    const { id } = (await post('settle/propose', target, ANN)).body;
    await expiring.restart({
      VENUE_OPERATORS: [line('ann', 'operate,settle', 'new', 'ann'), ...OTHERS].join('\n'),
    });
    assert.equal((await get('exposure', DAN)).body.proposals[0].by, 'ann');
    for (const who of [ANN, ANN_NEW]) {
      assert.equal((await get('audit', who)).status, 200);
      assert.deepEqual(seen(await post('settle/confirm', { id, ...target }, who)), [
        403,
        'the other secret has to confirm',
      ]);
      assert.equal((await newest()).by, 'ann');
    }
    await expiring.restart({ VENUE_OPERATORS: [line('ann', 'operate,settle', 'new'), ...OTHERS].join('\n') });
    assert.equal((await get('audit', ANN)).status, 403);
    assert.equal((await get('audit', ANN_NEW)).status, 200);
    assert.deepEqual(seen(await post('settle/confirm', { id, ...target }, BO)), [200, 'ok']);
  });

  it('the chain of hashes covers the names', async () => {
    const { operator } = new VenueClient({ url: expiring.venue.url });
    const entries = await Array.fromAsync(operator.audit(OPERATOR_TOKEN));
    assert.ok('head' in (await verifyAudit(entries)));
    const forged = entries.map((entry) => (entry.by === 'cy' ? { ...entry, by: 'bo' } : entry));
    assert.deepEqual(await verifyAudit(forged), { fault: 'entry 2 does not have the hash of what it says' });
  });
});
