/**
 * Answers lost at random, and retried by the SDK's rule (CID-1): none trades twice, and none is given up that was
 * carried out. `VENUE_LOST_ANSWERS` sets how many.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { type Fault, FaultyProxy } from './sdk-proxy.ts';

const LOST = Number(process.env.VENUE_LOST_ANSWERS ?? 200);
const BATCH = '/v1/batch';
const FAULTS: readonly Fault[] = [
  'lose the answer',
  'lose the request',
  'garble the answer',
  'double the request',
];

let exchange: LocalVenue;
let proxy: FaultyProxy;
let seriesId: string;

before(async () => {
  exchange = await pricedVenue();
  proxy = await FaultyProxy.start(exchange.url);
  ({ seriesId } = await exchange.listed('BTC'));
});
after(async () => {
  proxy.stop();
  await exchange.exchange.stop();
});

async function signed(url: string): Promise<VenueClient> {
  const client = new VenueClient({ url });
  await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await client.orders.setMargin(true);
  return client;
}

async function unsigned(url: string): Promise<VenueClient> {
  const client = new VenueClient({ url });
  await client.auth.signIn(walletFromPrivateKey(randomPrivateKey()));
  return client;
}

for (const [kind, open] of [
  ['signed', signed],
  ['unsigned', unsigned],
] as const) {
  test(`CID-1: of ${LOST} ${kind} batches whose answers are lost none trades twice`, async () => {
    const trader = await open(proxy.url);
    const seller = await signed(exchange.url);
    let bought = 0;
    for (let i = 0; i < LOST; i++) {
      const fault = FAULTS[kind === 'unsigned' ? i % 3 : i % FAULTS.length]!;
      await seller.orders.batch([{ type: 'place', seriesId, side: 'sell', qty: '0.03', price: 500 }]);
      proxy.fail(BATCH, fault, ...(i % 7 === 0 ? (['lose the answer'] as const) : []));
      const { results } = await trader.orders.batch([
        { type: 'place', seriesId, side: 'buy', qty: '0.01', price: 500 },
        { type: 'place', seriesId, side: 'buy', qty: 1, price: 1, clientId: `rest-${kind}-${i}` },
        { type: 'amend', clientId: `rest-${kind}-${i}`, price: 2 },
        { type: 'guard', ms: 600_000 },
      ]);
      assert.deepEqual(
        [results[0].status, results[1].status, results[2].status, results[3].ok],
        ['filled', 'rested', 'rested', true],
        `${i}: ${fault} ${JSON.stringify(results)}`,
      );
      assert.deepEqual(results[0].fills, [{ price: 500, qty: 0.01 }]);
      bought += 1;
      proxy.fail(BATCH, fault);
      const cancel = await trader.orders.cancel({ clientId: `rest-${kind}-${i}` });
      assert.deepEqual([cancel.ok, cancel.orderId], [true, results[1].orderId], `${i}: ${fault}`);
      proxy.fail(BATCH, fault);
      assert.equal((await trader.orders.cancelAll()).type, 'cancel-all');
      const { positions, openOrderCount } = await trader.account.me();
      assert.equal(Math.round(positions[0]!.qty * 100), bought, `${i}: ${fault}`);
      assert.equal(openOrderCount, 0);
      await seller.orders.cancelAll();
    }
    assert.equal((await trader.orders.list({ status: 'closed' })).length, Math.min(500, 2 * LOST));
  });
}
