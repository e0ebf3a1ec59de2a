import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemoryStore } from '@venue/log';
import {
  type LocalVenue,
  pricedVenue,
  signIn,
  startVenue,
  type Trader,
  waitFor,
} from '../../../test/support.ts';

/** A tick a minute: what leaves before was not taken away by one. */
describe('DUE-1: an order or a guard whose time is over', () => {
  let venue: LocalVenue;
  let seriesId: string;
  let alice: Trader;
  let bob: Trader;
  before(async () => {
    const store = new MemoryStore();
    await (await pricedVenue({}, { store })).exchange.stop();
    venue = await startVenue({ VENUE_MAINTENANCE_MS: '60000' }, { store });
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    ({ seriesId } = await venue.listed('BTC'));
    [alice, bob] = [await signIn(venue), await signIn(venue)];
  });
  after(() => venue.exchange.stop());

  const place = (terms: object) => ({ type: 'place', seriesId, side: 'buy', qty: 1, ...terms });
  const batch = async (actions: object[]) =>
    assert.equal((await venue.post('/v1/batch', { actions }, alice)).status, 200);
  const bids = async () => (await venue.get(`/v1/book?seriesId=${seriesId}`)).body.bids;
  const untilGone = () => waitFor(async () => ((await bids()).length === 0 ? true : undefined));
  const seq = async () => (await venue.get('/v1/venue')).body.seq;

  it('leaves book, account and preview though nobody else writes anything', async () => {
    await batch([place({ price: 40, tif: 'gtd', expiresAt: Date.now() + 500 })]);
    assert.equal((await bids()).length, 1);
    const placed = await seq();
    await untilGone();
    assert.equal(await seq(), placed + 1);
    const me = (await venue.get('/v1/me', alice)).body;
    assert.deepEqual([me.openOrderCount, me.openOrders, me.buyingPower], [0, [], me.cash]);
    await venue.post('/v1/margin', { enabled: true }, bob);
    const sell = { seriesId, side: 'sell', qty: 1 };
    const preview = await venue.post('/v1/order/preview', sell, bob);
    assert.notEqual(preview.body.status, 'filled');
  });

  it('is taken away in one entry where many are due together, and then the log is still', async () => {
    const expiresAt = Date.now() + 700;
    await batch(Array.from({ length: 20 }, (_, i) => place({ price: 10 + i, tif: 'gtd', expiresAt })));
    const placed = await seq();
    await untilGone();
    assert.equal(await seq(), placed + 1);
  });

  it('has the guard pull what has no time of its own', async () => {
    await batch([place({ price: 40 }), { type: 'guard', ms: 5_000 }]);
    await untilGone();
    assert.equal((await venue.get('/v1/me', alice)).body.guardAt, null);
  });
});
