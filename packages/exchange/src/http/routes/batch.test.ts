import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { BatchAnswerSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import {
  type Call,
  type Json,
  type LocalVenue,
  openSession,
  pricedVenue,
  type Reply,
  type Session,
} from '../../../test/support.ts';

const answer = Compile(BatchAnswerSchema);

function assertShape(body: unknown): void {
  assert.ok(answer.Check(body), JSON.stringify(answer.Errors(body)));
}

describe('POST /v1/batch', () => {
  let venue: LocalVenue;
  let venueId: string;
  let seriesId: string;
  let sid: number;
  let alice: Session & { token: string };
  before(async () => {
    venue = await pricedVenue();
    venueId = (await venue.get('/v1/venue')).body.venue;
    ({ seriesId, sid } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());
  beforeEach(async () => {
    alice = await openSession(venue);
    await venue.quote({ rows: [[sid, [[1000, 5]], [[1010, 5]]]] });
  });

  const place = (change: object = {}) => ({
    type: 'place',
    seriesId,
    side: 'buy',
    qty: 1,
    price: 900,
    ...change,
  });
  const me = async () => (await venue.get('/v1/me', { token: alice.token })).body;
  const post = async (actions: unknown, call: Call = {}): Promise<Reply> =>
    venue.post('/v1/batch', await alice.batch(venueId, actions), call);
  const resultsOf = async (actions: unknown): Promise<Json[]> => {
    const { status, body } = await post(actions);
    assert.equal(status, 200, JSON.stringify(body));
    assertShape(body);
    return body.results;
  };

  it('BAT-3: answers one result for each action, in order, and the account', async () => {
    const { status, body } = await post([
      place({ clientId: 'a' }),
      place({ price: 1010, qty: 2 }),
      place({ price: 1010, qty: 5, tif: 'ioc' }),
      { type: 'amend', clientId: 'a', price: 910 },
      { type: 'cancel', clientId: 'a' },
      { type: 'cancel', orderId: 999_999 },
      { type: 'cancel-all' },
      { type: 'guard', ms: 60_000 },
    ]);
    assert.equal(status, 200);
    assertShape(body);
    const id = body.results[0].orderId;
    assert.deepEqual(body.results, [
      { type: 'place', status: 'rested', orderId: id, clientId: 'a', fills: [], restedQty: 1 },
      { type: 'place', status: 'filled', orderId: id + 1, fills: [{ price: 1010, qty: 2 }], restedQty: 0 },
      { type: 'place', status: 'partial', orderId: id + 2, fills: [{ price: 1010, qty: 3 }], restedQty: 0 },
      { type: 'amend', status: 'rested', orderId: id, clientId: 'a', fills: [], restedQty: 1 },
      { type: 'cancel', ok: true, orderId: id },
      { type: 'cancel', ok: false, orderId: 999_999 },
      { type: 'cancel-all', ok: false, pulled: 0 },
      { type: 'guard', ok: true },
    ]);
    assert.deepEqual(body.account, await me());
  });

  it('BAT-3 DET-2: a declined action changes nothing and stops no other', async () => {
    const before = await me();
    const rejected = { type: 'place', status: 'rejected', orderId: 0, fills: [] };
    assert.deepEqual(
      await resultsOf([
        place({ qty: 0 }),
        place({ price: 0, clientId: 'free' }),
        place({ seriesId: 'BTC-1-C-1' }),
        place({ price: 1020, postOnly: true }),
        place({ qty: 6, price: 1010, tif: 'fok' }),
        place({ side: 'sell', price: 1000, tif: 'ioc', reduceOnly: true }),
        place({ tif: 'gtd', expiresAt: 1 }),
        { type: 'amend', orderId: 999_999, qty: 1 },
      ]),
      [
        { ...rejected, reason: 'bad qty', code: 'bad-qty' },
        { ...rejected, clientId: 'free', reason: 'bad price', code: 'bad-price' },
        { ...rejected, reason: 'unknown series', code: 'unknown-series' },
        { ...rejected, reason: 'post-only would trade', code: 'post-only-would-trade' },
        { ...rejected, reason: 'fok cannot fill', code: 'fok-cannot-fill' },
        { ...rejected, reason: 'nothing to reduce', code: 'nothing-to-reduce' },
        { ...rejected, reason: 'order expired', code: 'order-expired' },
        { ...rejected, type: 'amend', reason: 'unknown order', code: 'unknown-order' },
      ],
    );
    assert.deepEqual(await me(), before);
  });

  it('CID-1: a known client id answers the first order, also to an action of the same batch', async () => {
    const [first, second] = await resultsOf([
      place({ clientId: 'once' }),
      place({ clientId: 'once', qty: 3 }),
    ]);
    assert.deepEqual(second, {
      type: 'place',
      status: 'duplicate',
      orderId: first.orderId,
      clientId: 'once',
      fills: [],
      restedQty: 0,
    });
    assert.equal((await me()).openOrderCount, 1);
  });

  it('TIF-3 STP-1: says what a reduce-only order was cut to, and why the rest of an order is gone', async () => {
    const [, , stopped] = await resultsOf([
      place({ price: 1010 }),
      place({ price: 1005 }),
      place({ side: 'sell', price: 1005, tif: 'ioc', qty: 1 }),
    ]);
    assert.deepEqual([stopped.status, stopped.reason], ['cancelled', 'self-trade prevented']);
    const [, cut] = await resultsOf([
      { type: 'cancel-all' },
      place({ side: 'sell', qty: 3, price: 1000, tif: 'fok', reduceOnly: true }),
    ]);
    assert.deepEqual([cut.status, cut.qty, cut.fills], ['filled', 1, [{ price: 1000, qty: 1 }]]);
  });

  it('GRD-1: the account shows when its guard is due, and nothing once it is removed', async () => {
    assert.equal((await me()).guardAt, null);
    const earliest = Date.now() + 60_000;
    const { body } = await post([{ type: 'guard', ms: 60_000 }]);
    assert.ok(body.account.guardAt >= earliest && body.account.guardAt <= Date.now() + 60_000);
    assert.equal((await me()).guardAt, body.account.guardAt);
    assert.deepEqual(await resultsOf([{ type: 'guard', ms: 0 }]), [{ type: 'guard', ok: true }]);
    assert.equal((await me()).guardAt, null);
  });

  it('BAT-5: orders of a batch and older ones are one list', async () => {
    const [placed] = await resultsOf([place()]);
    const cancelled = await venue.post('/v1/order/cancel', await alice.cancelOrder(placed.orderId));
    assert.equal(cancelled.body.ok, true);
    const older = await venue.post(
      '/v1/order',
      await alice.order({ seriesId, side: 'buy', qty: 1, price: 900 }),
    );
    assert.deepEqual(await resultsOf([{ type: 'cancel', orderId: older.body.orderId }]), [
      { type: 'cancel', ok: true, orderId: older.body.orderId },
    ]);
  });

  describe('prefer: return=minimal', () => {
    const MINIMAL = ['return=minimal', 'Return = "minimal"', 'respond-async, return=minimal; foo'];
    for (const prefer of MINIMAL) {
      it(`leaves the account out, and says so: ${prefer}`, async () => {
        const { status, headers, body } = await post([place()], { headers: { prefer } });
        assert.deepEqual([status, Object.keys(body)], [200, ['results']]);
        assert.equal(headers.get('preference-applied'), 'return=minimal');
      });
    }

    for (const prefer of ['return=representation', 'minimal', 'xreturn=minimal', 'return=minimalist']) {
      it(`is not: ${prefer}`, async () => {
        const { headers, body } = await post([place()], { headers: { prefer } });
        assert.deepEqual(Object.keys(body), ['results', 'account']);
        assert.equal(headers.get('preference-applied'), null);
      });
    }
  });

  it('AUTH-3: unsigned with a token where an unsigned order is', async () => {
    const actions = [place()];
    const { status, body } = await venue.post('/v1/batch', { actions }, { token: alice.token });
    assert.deepEqual([status, body.results[0].status], [200, 'rested']);
    assert.equal((await venue.post('/v1/batch', { actions })).status, 401);
    const { sessionKey: _, ...partly } = await alice.batch(venueId, actions);
    const refused = await venue.post('/v1/batch', partly, { token: alice.token });
    assert.deepEqual(
      [refused.status, refused.body],
      [400, { error: 'nonce and signature required with sessionKey' }],
    );
  });

  it('VEN-2: names the entry that the answer shows, of all the entries that follow at once', async () => {
    const batches = await Promise.all(
      Array.from({ length: 40 }, () => alice.batch(venueId, [place({ qty: 0.001 })])),
    );
    const replies = await Promise.all(batches.map((body) => venue.post('/v1/batch', body)));
    const counted = replies.map(({ headers, body }) => ({
      seq: Number(headers.get('x-venue-seq')),
      count: body.account.openOrderCount,
    }));
    counted.sort((a, b) => a.seq - b.seq);
    assert.deepEqual(
      counted.map(({ count }) => count),
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    assert.equal(new Set(counted.map(({ seq }) => seq)).size, 40);
  });
});
