/** One signature counts once, at one venue, for exactly the actions it was made for (VEN-1, BAT-1, BAT-2, SIG-4). */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  DEPOSITS,
  type LocalVenue,
  type OpenSession,
  openSession,
  pricedVenue,
  Session,
  startVenue,
} from '../../../test/support.ts';

const BAD_SIGNATURE = { error: 'bad signature' };
const NONCE_USED = { error: 'nonce already used' };

describe('the signature of a batch', () => {
  let venue: LocalVenue;
  let venueId: string;
  let seriesId: string;
  let alice: OpenSession;
  before(async () => {
    venue = await pricedVenue();
    venueId = (await venue.get('/v1/venue')).body.venue;
    ({ seriesId } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());
  beforeEach(async () => {
    alice = await openSession(venue);
  });

  const place = (change: object = {}) => ({
    ...{ type: 'place', seriesId, side: 'buy', qty: 1, price: 900 },
    ...change,
  });
  const me = async (at = venue, { token }: { token: string } = alice) =>
    (await at.get('/v1/me', { token })).body;
  /** Posts forgeries, none of which may count, and then the genuine batch, which must. */
  const refuseAll = async (
    genuine: { actions: unknown },
    forgeries: readonly object[],
    refusal = BAD_SIGNATURE,
  ) => {
    const account = await me();
    for (const forgery of forgeries) {
      const { status, body } = await venue.post('/v1/batch', { ...genuine, ...forgery });
      assert.deepEqual([status, body], [401, refusal], JSON.stringify(forgery).slice(0, 300));
    }
    assert.deepEqual(await me(), account);
    assert.equal((await venue.post('/v1/batch', genuine)).status, 200);
  };

  it('is for these lines, in this order and this number', async () => {
    const [one, two, three] = [place(), { type: 'cancel', orderId: 7 }, { type: 'guard', ms: 60_000 }];
    await refuseAll(await alice.batch(venueId, [one, two, three]), [
      { actions: [one, two] },
      { actions: [one] },
      { actions: [one, two, three, three] },
      { actions: [one, two, three, { type: 'cancel-all' }] },
      { actions: [two, one, three] },
      { actions: [three, two, one] },
      { actions: [one, one, three] },
      { actions: [one, { type: 'cancel', clientId: '7' }, three] },
      { actions: [one, { type: 'cancel-all' }, three] },
      { actions: [one, two, { type: 'guard', ms: 0 }] },
    ]);
  });

  it('is for every field of an order, defaults included', async () => {
    const other = (await venue.get('/v1/series?symbol=BTC')).body.series[0].seriesId;
    const changes = [
      ...[{ seriesId: other }, { side: 'sell' }, { qty: 1.000001 }, { price: 900.000001 }, { price: 0 }],
      ...[{ tif: 'ioc' }, { tif: 'fok' }, { tif: 'gtd', expiresAt: 1 }, { postOnly: true }],
      ...[{ tif: 'ioc', reduceOnly: true }, { stp: 'maker' }, { stp: 'both' }, { stp: 'none' }],
      ...[{ clientId: 'a' }, { price: undefined }],
    ];
    const genuine = await alice.batch(venueId, [place()]);
    await refuseAll(
      genuine,
      changes.map((change) => ({ actions: [place(change)] })),
    );
    const timed = await alice.batch(venueId, [place({ tif: 'gtd', expiresAt: Date.now() + 60_000 })]);
    await refuseAll(timed, [{ actions: [place({ tif: 'gtd', expiresAt: Date.now() + 600_000 })] }]);
  });

  it('is for every field of an amend, a cancel, a cancel-all and a guard', async () => {
    const amend = { type: 'amend', orderId: 7, qty: 2, price: 3, filledAtMost: 1 };
    await refuseAll(
      await alice.batch(venueId, [amend]),
      [
        ...[{ orderId: 8 }, { orderId: undefined, clientId: '7' }, { qty: 3 }, { qty: undefined }],
        ...[
          { price: 2 },
          { price: undefined },
          { filledAtMost: 2 },
          { filledAtMost: 0 },
          { filledAtMost: undefined },
        ],
      ].map((change) => ({ actions: [{ ...amend, ...change }] })),
    );
    const all = { type: 'cancel-all', symbols: ['BTC', 'ETH'], side: 'buy' };
    await refuseAll(
      await alice.batch(venueId, [all]),
      [
        ...[{ symbols: ['BTC'] }, { symbols: undefined }, { symbols: undefined, seriesIds: ['BTC', 'ETH'] }],
        ...[{ side: 'sell' }, { side: undefined }, { symbols: ['BTC', 'ETH', 'SOL'] }],
      ].map((change) => ({ actions: [{ ...all, ...change }] })),
    );
    await refuseAll(await alice.batch(venueId, [{ type: 'guard', ms: 60_000 }]), [
      { actions: [{ type: 'guard', ms: 60_001 }] },
    ]);
  });

  it('is the same for symbols in another order and case, which mean the same', async () => {
    const genuine = await alice.batch(venueId, [{ type: 'cancel-all', symbols: ['BTC', 'ETH'] }]);
    const spelled = { ...genuine, actions: [{ type: 'cancel-all', symbols: ['eth', 'btc'] }] };
    assert.equal((await venue.post('/v1/batch', spelled)).status, 200);
    assert.deepEqual((await venue.post('/v1/batch', genuine)).body, NONCE_USED);
  });

  it('is by the key that it names, for an account that approved it', async () => {
    const bob = await openSession(venue);
    const actions = [place()];
    const genuine = await alice.batch(venueId, actions);
    const forBob = new Session(bob.account, alice.key);
    await refuseAll(genuine, [
      { sessionKey: bob.key.address },
      { nonce: genuine.nonce + 1 },
      await forBob.batch(venueId, actions, genuine.nonce),
      { signature: `0x${'00'.repeat(65)}` },
      { signature: genuine.signature.slice(0, -2) },
      { signature: `${genuine.signature}00` },
      { signature: '' },
    ]);
    const stranger = `0x${'12'.repeat(20)}`;
    const unknown = await venue.post('/v1/batch', {
      ...(await alice.batch(venueId, actions)),
      sessionKey: stranger,
    });
    assert.deepEqual([unknown.status, unknown.body], [401, { error: 'unknown or revoked session key' }]);
  });

  it('is no signature of another kind', async () => {
    const cancelled = await alice.cancel('all');
    const { status, body } = await venue.post('/v1/batch', {
      ...cancelled,
      actions: [{ type: 'cancel-all' }],
    });
    assert.deepEqual([status, body], [401, BAD_SIGNATURE]);
    const batch = await alice.batch(venueId, [{ type: 'cancel-all' }]);
    const { actions: _, ...signed } = batch;
    assert.deepEqual((await venue.post('/v1/cancel', signed)).body, BAD_SIGNATURE);
  });

  it('counts once, however often and however much at once it is sent', async () => {
    const batch = await alice.batch(venueId, [place(), { type: 'amend', orderId: 1, qty: 1 }]);
    const replies = await Promise.all(Array.from({ length: 20 }, () => venue.post('/v1/batch', batch)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    for (const { status, body } of replies)
      if (status !== 200) assert.deepEqual([status, body], [401, NONCE_USED]);
    assert.equal((await me()).openOrderCount, 1);
  });

  it('shares its nonce with older writes of the key', async () => {
    const nonce = alice.nonce();
    const order = { seriesId, side: 'buy', qty: 1, price: 900 } as const;
    assert.equal((await venue.post('/v1/order', await alice.order(order, nonce))).status, 200);
    const { status, body } = await venue.post('/v1/batch', await alice.batch(venueId, [place()], nonce));
    assert.deepEqual([status, body], [401, NONCE_USED]);
  });

  it('counts though every action is declined', async () => {
    const batch = await alice.batch(venueId, [place({ qty: 0 }), place({ price: 0 })]);
    assert.equal((await venue.post('/v1/batch', batch)).status, 200);
    assert.deepEqual((await venue.post('/v1/batch', batch)).body, NONCE_USED);
  });

  it('is too old or too new by more than a minute', async () => {
    for (const offMs of [-61_000, 600_000]) {
      const nonce = Date.now() + offMs;
      const { status, body } = await venue.post('/v1/batch', await alice.batch(venueId, [place()], nonce));
      assert.deepEqual([status, body], [401, { error: 'nonce outside the accepted window' }]);
    }
  });

  it('is worth nothing once its key is revoked', async () => {
    const batch = await alice.batch(venueId, [place()]);
    const { address, sessionKey, signature } = alice.approval;
    assert.equal(
      (await venue.post('/v1/auth/session/revoke', { address, sessionKey, signature })).status,
      200,
    );
    const { status, body } = await venue.post('/v1/batch', batch);
    assert.deepEqual([status, body], [401, { error: 'unknown or revoked session key' }]);
  });

  it('VEN-1: moves nothing at another deployment, where wallet and key are the same', async (t) => {
    const other = await pricedVenue();
    t.after(() => other.exchange.stop());
    const there = await other.post('/v1/auth/session', alice.approval);
    assert.equal(there.status, 200);
    const twin = Object.assign(new Session(alice.account, alice.key), { token: there.body.token });
    const otherId = (await other.get('/v1/venue')).body.venue;
    assert.equal((await other.post('/v1/batch', await twin.batch(otherId, [place()]))).status, 200);
    const account = await me(other, twin);
    const batch = await alice.batch(venueId, [place(), { type: 'cancel-all' }, { type: 'guard', ms: 5_000 }]);
    const refused = await other.post('/v1/batch', batch);
    assert.deepEqual([refused.status, refused.body], [401, BAD_SIGNATURE]);
    assert.deepEqual(await me(other, twin), account);
    assert.equal((await venue.post('/v1/batch', batch)).status, 200);
    assert.equal((await other.post('/v1/batch', await twin.batch(otherId, batch.actions))).status, 200);
  });

  it('AUTH-3: is mandatory with real money, whatever token comes with the batch', async (t) => {
    const strict = await startVenue(DEPOSITS);
    t.after(() => strict.exchange.stop());
    const { token } = await openSession(strict);
    const { status, body } = await strict.post('/v1/batch', { actions: [{ type: 'cancel-all' }] }, { token });
    assert.deepEqual(
      [status, body],
      [401, { error: 'this request must be signed — approve a trading session' }],
    );
  });
});
