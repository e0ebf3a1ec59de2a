import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LocalVenue, pricedVenue, signIn, type Trader } from '../../test/support.ts';

describe('an account whose open orders are cached', () => {
  let venue: LocalVenue;
  let trader: Trader;
  let seriesId: string;
  before(async () => {
    venue = await pricedVenue();
    trader = await signIn(venue);
    ({ seriesId } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());

  const me = async () => (await venue.get('/v1/me', trader)).body;
  const place = async (body: object) => (await venue.post('/v1/order', { seriesId, ...body }, trader)).body;

  it('ORD-11: shows every change of them, as the answer to an order does', async () => {
    assert.deepEqual((await me()).openOrders, []);
    const ids: number[] = [];
    for (const price of [1, 2, 3]) {
      const { orderId, account } = await place({ side: 'buy', qty: 2, price });
      ids.push(orderId);
      assert.deepEqual(await me(), { ...account, guardAt: null });
    }
    await venue.post('/v1/order/cancel', { orderId: ids[0] }, trader);
    assert.deepEqual(
      (await me()).openOrders.map(({ id }: { id: number }) => id),
      ids.slice(1),
    );
    // The account partly fills its own best bid.
    await venue.post('/v1/margin', { enabled: true }, trader);
    const { account } = await place({ side: 'sell', qty: 0.5 });
    assert.deepEqual(await me(), { ...account, guardAt: null });
    assert.deepEqual(
      (await me()).openOrders.map(({ remaining }: { remaining: number }) => remaining),
      [2, 1.5],
    );
    await venue.post('/v1/cancel', {}, trader);
    assert.deepEqual((await me()).openOrders, []);
  });
});
