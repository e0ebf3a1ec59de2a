/** Client ids that come again, by the SDK on a venue that has forgotten them (CID-1). */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';

let exchange: LocalVenue;
let seriesId: string;

before(async () => {
  exchange = await pricedVenue();
  ({ seriesId } = await exchange.listed('BTC'));
});
after(() => exchange.exchange.stop());

const order = (clientId: string) =>
  ({ type: 'place', seriesId, side: 'buy', qty: 1, price: 1, tif: 'ioc', clientId }) as const;

/** Closes as many orders as the venue remembers of an account, by another client of it. */
async function forget(client: VenueClient): Promise<void> {
  const { limits } = (await exchange.get('/v1/venue')).body;
  for (let at = 0; at <= limits.clientIdsKnown; at += 64)
    await client.orders.batch(Array.from({ length: 64 }, (_, i) => order(`other-${at + i}`)));
}

test('CID-1: an id that was sent before is looked up first, by the client that sent it and by one that says so', async () => {
  const wallet = walletFromPrivateKey(randomPrivateKey());
  const clients = Array.from({ length: 3 }, () => new VenueClient({ url: exchange.url }));
  for (const client of clients) await client.auth.approveSession(wallet);
  const [first, restarted, careless] = clients as [VenueClient, VenueClient, VenueClient];
  const { results } = await first.orders.batch([order('mine')]);
  const { orderId } = results[0];
  await forget(careless);

  const batch = [order('new'), order('mine'), { type: 'cancel-all' }] as const;
  const again = await restarted.orders.batch(batch, { mayRepeat: true });
  assert.deepEqual(
    again.results.map((result) => ('status' in result ? result.status : result.type)),
    ['cancelled', 'duplicate', 'cancel-all'],
  );
  assert.ok('orderId' in again.results[1] && again.results[1].orderId === orderId);
  assert.ok(again.account !== undefined);
  const alone = await first.orders.batch([order('mine')]);
  assert.deepEqual([alone.results[0].status, alone.results[0].orderId], ['duplicate', orderId]);
  assert.equal(alone.account?.address, (await first.account.me()).address);
  // The venue itself has forgotten it.
  const placed = await careless.orders.batch([order('mine')]);
  assert.equal(placed.results[0].status, 'cancelled');
});
