/** Names that a batch may use, and the errors for any others (BAT-3, DET-2). */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  type Json,
  type LocalVenue,
  type OpenSession,
  openSession,
  pricedVenue,
} from '../../../test/support.ts';

const UNKNOWN = {
  type: 'amend',
  status: 'rejected',
  orderId: 0,
  fills: [],
  reason: 'unknown order',
  code: 'unknown-order',
};

describe('references in a batch', () => {
  let venue: LocalVenue;
  let venueId: string;
  let seriesId: string;
  let sid: number;
  let alice: OpenSession;
  let bob: OpenSession;
  before(async () => {
    venue = await pricedVenue();
    venueId = (await venue.get('/v1/venue')).body.venue;
    ({ seriesId, sid } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());
  beforeEach(async () => {
    [alice, bob] = [await openSession(venue), await openSession(venue)];
    await venue.quote({ rows: [[sid, [[1000, 5]], [[1010, 5]]]] });
  });

  const place = (change: object = {}) => ({
    ...{ type: 'place', seriesId, side: 'buy', qty: 1, price: 900 },
    ...change,
  });
  const batch = async (session: OpenSession, actions: readonly object[]): Promise<Json[]> => {
    const { status, body } = await venue.post('/v1/batch', await session.batch(venueId, actions));
    assert.equal(status, 200, JSON.stringify(body));
    return body.results;
  };
  const me = async (session: OpenSession) => (await venue.get('/v1/me', session)).body;
  /** Every way to touch an order, and its result for an unknown name. */
  const touchInVain = async (ref: { orderId: number } | { clientId: string }) => {
    const results = await batch(alice, [
      { type: 'amend', ...ref, qty: 2 },
      { type: 'amend', ...ref, price: 1_010, filledAtMost: 0 },
      { type: 'cancel', ...ref },
    ]);
    const orderId = 'orderId' in ref ? ref.orderId : 0;
    assert.deepEqual(
      results.map(({ clientId: _, ...result }) => result),
      [UNKNOWN, UNKNOWN, { type: 'cancel', ok: false, orderId }],
    );
  };

  it("leave others' orders alone, by id and by client id", async () => {
    const [placed] = await batch(bob, [place({ clientId: 'mine' })]);
    const before = await me(bob);
    await touchInVain({ orderId: placed.orderId });
    await touchInVain({ clientId: 'mine' });
    await batch(alice, [{ type: 'cancel-all' }, { type: 'cancel-all', seriesIds: [seriesId] }]);
    assert.deepEqual(await me(bob), before);
  });

  it("leave the maker's quotes alone", async () => {
    const [placed] = await batch(alice, [place({ price: 1_010, qty: 1 })]);
    for (let orderId = Math.max(1, placed.orderId - 5); orderId <= placed.orderId + 5; orderId++)
      await touchInVain({ orderId });
    const { body } = await venue.get(`/v1/book?seriesId=${seriesId}`);
    assert.deepEqual([body.bids[0], body.asks], [{ price: 1000, qty: 5 }, [{ price: 1010, qty: 4 }]]);
  });

  it('CID-1: the same client id of two accounts names two orders', async () => {
    const [hers] = await batch(alice, [place({ clientId: 'same' })]);
    const [his] = await batch(bob, [place({ clientId: 'same', price: 910 })]);
    assert.notEqual(hers.orderId, his.orderId);
    assert.deepEqual(await batch(alice, [{ type: 'cancel', clientId: 'same' }]), [
      { type: 'cancel', ok: true, orderId: hers.orderId },
    ]);
    assert.equal((await me(bob)).openOrderCount, 1);
  });

  it('BAT-2: name orders of the same batch, by client id and by the id they will have', async () => {
    const [{ orderId: last }] = await batch(alice, [place()]);
    const results = await batch(alice, [
      place({ clientId: 'new' }),
      { type: 'amend', clientId: 'new', price: 905 },
      { type: 'amend', orderId: last + 1, qty: 3 },
      { type: 'cancel', orderId: last + 1 },
      { type: 'cancel', clientId: 'new' },
      { type: 'amend', clientId: 'new', qty: 4 },
      { type: 'cancel', orderId: last + 2 },
      place({ price: 906 }),
    ]);
    assert.deepEqual(
      results.map(({ status, ok, orderId }) => [status ?? ok, orderId]),
      [
        ['rested', last + 1],
        ['rested', last + 1],
        ['rested', last + 1],
        [true, last + 1],
        [false, 0],
        ['rejected', 0],
        // Named one action too early.
        [false, last + 2],
        ['rested', last + 2],
      ],
    );
    const { openOrders } = await me(alice);
    assert.deepEqual(
      openOrders.map(({ id, price }: Json) => [id, price]),
      [
        [last, 900],
        [last + 2, 906],
      ],
    );
  });

  it('name no order that is closed: cancelled, filled, or never rested', async () => {
    const [cancelled, filled, ioc] = await batch(alice, [
      place({ clientId: 'cancelled' }),
      place({ clientId: 'filled', price: 1_010 }),
      place({ clientId: 'ioc', tif: 'ioc' }),
      { type: 'cancel', clientId: 'cancelled' },
    ]);
    assert.deepEqual([filled.status, ioc.status], ['filled', 'cancelled']);
    const before = await me(alice);
    for (const { orderId, clientId } of [cancelled, filled, ioc]) {
      await touchInVain({ orderId });
      await touchInVain({ clientId });
    }
    assert.deepEqual(await me(alice), before);
  });

  it('name nothing that there never was', async () => {
    await touchInVain({ orderId: Number.MAX_SAFE_INTEGER });
    await touchInVain({ clientId: 'x'.repeat(36) });
    assert.deepEqual(
      await batch(alice, [
        { type: 'cancel-all', symbols: ['NOSUCH'] },
        { type: 'cancel-all', seriesIds: ['BTC-1-C-1', '~'.repeat(64)], side: 'sell' },
        place({ seriesId: '~'.repeat(64) }),
      ]),
      [
        { type: 'cancel-all', ok: false, pulled: 0 },
        { type: 'cancel-all', ok: false, pulled: 0 },
        {
          type: 'place',
          status: 'rejected',
          orderId: 0,
          fills: [],
          reason: 'unknown series',
          code: 'unknown-series',
        },
      ],
    );
  });

  it('carry values that would mean something elsewhere as what they are', async () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const [placed] = await batch(alice, [place({ clientId: name })]);
      assert.deepEqual([placed.status, placed.clientId], ['rested', name]);
      assert.deepEqual(await batch(alice, [{ type: 'cancel', clientId: name }, place({ seriesId: name })]), [
        { type: 'cancel', ok: true, orderId: placed.orderId },
        {
          type: 'place',
          status: 'rejected',
          orderId: 0,
          fills: [],
          reason: 'unknown series',
          code: 'unknown-series',
        },
      ]);
    }
  });
});
