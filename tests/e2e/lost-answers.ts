/**
 * Answers lost on the way, and retried by the SDK's rule (CID-1): none trades twice, and none is given up that was
 * carried out.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { type Fault, FaultyProxy } from './sdk-proxy.ts';

/** Traders side by side, each in a series and with a connection of their own: a lost answer is mostly a wait. */
const LANES = 8;
const BATCH = '/v1/batch';
const FAULTS: readonly Fault[] = [
  'lose the answer',
  'lose the request',
  'garble the answer',
  'double the request',
];

let exchange: LocalVenue;
let seriesIds: string[];

before(async () => {
  exchange = await pricedVenue();
  const { body } = await exchange.get('/v1/series?symbol=BTC');
  seriesIds = body.series.map((series: { seriesId: string }) => series.seriesId);
});
after(() => exchange.exchange.stop());

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

/** Adds a test for signed batches and one for unsigned ones, in each of which every trader loses so many answers. */
export function testLostAnswers(each: number): void {
  for (const [kind, open] of [
    ['signed', signed],
    ['unsigned', unsigned],
  ] as const) {
    test(`CID-1: of ${LANES * each} ${kind} batches whose answers are lost none trades twice`, async () => {
      const lanes = seriesIds.slice(0, LANES).map((seriesId) => tradeThrough(seriesId, { kind, open, each }));
      await Promise.all(lanes);
    });
  }
}

interface Course {
  readonly kind: 'signed' | 'unsigned';
  readonly open: (url: string) => Promise<VenueClient>;
  /** The number of answers to lose. */
  readonly each: number;
}

/** Buys the same small order again and again, and loses something on the way each time. */
async function tradeThrough(seriesId: string, { kind, open, each }: Course): Promise<void> {
  const proxy = await FaultyProxy.start(exchange.url);
  try {
    const [trader, seller] = [await open(proxy.url), await signed(exchange.url)];
    for (let i = 0; i < each; i++) {
      // An unsigned request that is doubled is two.
      const fault = FAULTS[kind === 'unsigned' ? i % 3 : i % FAULTS.length]!;
      const lane = { trader, seller, proxy, seriesId };
      await buyAndLose(lane, { i, fault });
    }
    const { orders } = await trader.orders.list({ status: 'closed', limit: 500 });
    assert.equal(orders.length, Math.min(500, 2 * each));
  } finally {
    proxy.stop();
  }
}

interface Lane {
  readonly trader: VenueClient;
  readonly seller: VenueClient;
  readonly proxy: FaultyProxy;
  readonly seriesId: string;
}

async function buyAndLose(
  { trader, seller, proxy, seriesId }: Lane,
  { i, fault }: { readonly i: number; readonly fault: Fault },
): Promise<void> {
  const resting = `rest-${i}`;
  // Enough to buy it three times.
  await seller.orders.batch([{ type: 'place', seriesId, side: 'sell', qty: '0.03', price: 500 }]);
  proxy.fail(BATCH, fault, ...(i % 7 === 0 ? (['lose the answer'] as const) : []));
  const { results } = await trader.orders.batch([
    { type: 'place', seriesId, side: 'buy', qty: '0.01', price: 500 },
    { type: 'place', seriesId, side: 'buy', qty: 1, price: 1, clientId: resting },
    { type: 'amend', clientId: resting, price: 2 },
    { type: 'guard', ms: 600_000 },
  ]);
  assert.deepEqual(
    [results[0].status, results[1].status, results[2].status, results[3].ok],
    ['filled', 'rested', 'rested', true],
    `${i}: ${fault} ${JSON.stringify(results)}`,
  );
  assert.deepEqual(results[0].fills, [{ price: 500, qty: 0.01 }]);
  proxy.fail(BATCH, fault);
  const cancel = await trader.orders.cancel({ clientId: resting });
  assert.deepEqual([cancel.ok, cancel.orderId], [true, results[1].orderId], `${i}: ${fault}`);
  proxy.fail(BATCH, fault);
  assert.equal((await trader.orders.cancelAll()).type, 'cancel-all');
  const { positions, openOrderCount } = await trader.account.me();
  assert.equal(Math.round(positions[0]!.qty * 100), i + 1, `${i}: ${fault}`);
  assert.equal(openOrderCount, 0);
  await seller.orders.cancelAll();
}
