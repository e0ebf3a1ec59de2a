/** Quote sets by the SDK, on a venue behind a way that loses requests and answers. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  AbortedError,
  OutcomeUnknownError,
  RateLimitedError,
  RefusedError,
  randomPrivateKey,
  SetFrozenError,
  StalePushError,
  UnknownSetError,
  VenueClient,
  walletFromPrivateKey,
} from '@venue/sdk';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { FaultyProxy } from './sdk-proxy.ts';

const PUSH = '/v1/quote-sets/1';
const TERMS = { set: 1, symbol: 'BTC', windowMs: 60_000, qty: 10, frozenMs: 0 } as const;

let exchange: LocalVenue;
let proxy: FaultyProxy;
let seriesId: string;
let sid: number;
let venue: VenueClient;

before(async () => {
  exchange = await pricedVenue();
  proxy = await FaultyProxy.start(exchange.url);
  ({ seriesId, sid } = await exchange.listed('BTC'));
});
after(async () => {
  proxy.stop();
  await exchange.exchange.stop();
});
beforeEach(async () => {
  venue = await trader();
});

async function trader(): Promise<VenueClient> {
  const client = new VenueClient({ url: proxy.url, timeoutMs: 5_000 });
  await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  return client;
}

const bid = (price: number, qty = 1) => [{ seriesId, bids: [[price, qty]], asks: null }] as const;

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  );
}

/** Prices of the account's bids in the book, which nobody else quotes. */
async function bids(): Promise<number[]> {
  return (await exchange.get(`/v1/book?seriesId=${seriesId}`)).body.bids.map(
    ({ price }: { price: number }) => price,
  );
}

test('QTS-1: one set in three forms, and texts as amounts', async () => {
  assert.equal((await venue.quotes.protect(TERMS)).ok, true);
  const named = [{ seriesId, bids: [['900.25', '1.5']], iv: 0.6, delta: 0.5 }] as const;
  assert.deepEqual(await venue.quotes.push(1, named), { applied: 1, kept: 0, errors: 0, rowErrors: [] });
  for (const form of ['compact', 'binary'] as const) {
    const { kept } = await venue.quotes.push(1, [[sid, [[900.25, 1.5]], null, 0.6]], { form });
    assert.equal(kept, 1, form);
  }
  const [set] = await venue.quotes.sets();
  assert.deepEqual([set!.symbol, set!.qty, set!.quotes, set!.frozen], ['BTC', 10, 1, false]);
  assert.equal((await venue.quotes.end(1)).ok, true);
  assert.deepEqual([await venue.quotes.sets(), await bids()], [[], []]);
});

test('QTS-3: refusals of a push are errors of their own', async () => {
  assert.ok((await thrownBy(venue.quotes.push(1, bid(900)))) instanceof UnknownSetError);
  assert.equal((await venue.quotes.unfreeze(1)).reason, 'unknown set');
  await venue.quotes.protect({ ...TERMS, qty: 1 });
  await venue.quotes.push(1, bid(900));
  const seller = await trader();
  await seller.orders.setMargin(true);
  await seller.orders.place({ seriesId, side: 'sell', qty: 2, tif: 'ioc', price: 900 });
  const frozen = await thrownBy(venue.quotes.push(1, bid(890)));
  assert.ok(frozen instanceof SetFrozenError && frozen instanceof RefusedError);
  assert.deepEqual([frozen.code, frozen.status], ['set-frozen', 400]);
  assert.equal((await venue.quotes.unfreeze(1)).ok, true);
  await venue.quotes.push(1, bid(890));
  const poor = await thrownBy(
    venue.quotes.protect({ ...TERMS, qty: 1_000_000 }).then(() => venue.quotes.push(1, bid(900, 1_000))),
  );
  assert.ok(poor instanceof RefusedError && /^insufficient buying power/.test(poor.message), String(poor));
  await venue.quotes.end(1);
});

test('QTS-1: checks rows before anything is signed', async () => {
  const push = (rows: unknown, set = 1, options?: object) =>
    thrownBy(venue.quotes.push(set, rows as never, options as never));
  assert.ok((await push([{ seriesId, bids: [[0.0000001, 1]] }])) instanceof RangeError);
  assert.ok((await push([{ seriesId, bids: [[true, 1]] }])) instanceof TypeError);
  assert.ok((await push([{ bids: [] }])) instanceof TypeError);
  assert.ok((await push('rows')) instanceof TypeError);
  assert.ok((await push([], 1, { form: 'other' })) instanceof TypeError);
  assert.ok((await push([[-1, [], []]], 1, { form: 'binary' })) instanceof RangeError);
  for (const set of [0, 17, 1.5]) assert.ok((await push([], set)) instanceof RangeError, String(set));
});

test('QTS-1: after a lost answer nothing is repeated; a newer push makes up for it', async () => {
  await venue.quotes.protect(TERMS);
  // A used nonce may be another program's, and of quotes nothing shows whose they were.
  for (const [fault, stands, verdict] of [
    ['lose the answer', 900, 'unknown'],
    ['lose the request', 901, 'not carried out'],
  ] as const) {
    proxy.fail(PUSH, fault);
    const lost = await thrownBy(venue.quotes.push(1, bid(900)));
    assert.ok(lost instanceof OutcomeUnknownError, String(lost));
    assert.equal(lost.verdict, 'unknown');
    assert.deepEqual(await bids(), [stands]);
    await venue.quotes.push(1, bid(901));
    assert.deepEqual(await bids(), [901]);
    assert.equal((await lost.lookAgain()).verdict, verdict);
  }
  await venue.quotes.end(1);
});

test('QTS-1: a push that was held on its way is stale once a newer one has come', async () => {
  await venue.quotes.protect(TERMS);
  proxy.fail(PUSH, 'delay the request');
  assert.ok((await thrownBy(venue.quotes.push(1, bid(900)))) instanceof OutcomeUnknownError);
  await venue.quotes.push(1, bid(901));
  assert.equal(await proxy.deliver(), 400);
  assert.deepEqual(await bids(), [901]);
  await venue.quotes.end(1);
});

test('QTS-1: of two programs that push one set, the later nonce stands', async () => {
  const wallet = walletFromPrivateKey(randomPrivateKey());
  let nonce = Date.now();
  const program = async (skew: number) => {
    const client = new VenueClient({ url: exchange.url, nonceOf: () => ++nonce + skew });
    await client.auth.approveSession(wallet);
    return client;
  };
  const [ahead, behind] = [await program(1_000), await program(0)];
  await ahead.quotes.protect(TERMS);
  await ahead.quotes.push(1, bid(910));
  const stale = await thrownBy(behind.quotes.push(1, bid(909)));
  assert.ok(stale instanceof StalePushError, String(stale));
  assert.deepEqual(await bids(), [910]);
  await ahead.quotes.end(1);
});

test('QTS-1: pushes to one set leave one after another, and others do not wait for them', async () => {
  await venue.quotes.protect(TERMS);
  await venue.quotes.protect({ ...TERMS, set: 2 });
  proxy.fail(PUSH, 'hold the request');
  const held = venue.quotes.push(1, bid(900));
  const next = venue.quotes.push(1, bid(901));
  const aborted = thrownBy(venue.quotes.push(1, bid(902), { signal: AbortSignal.timeout(10) }));
  await venue.quotes.push(2, [{ seriesId, bids: [[800, 1]] }]);
  assert.ok((await aborted) instanceof AbortedError);
  assert.deepEqual(await bids(), [800]);
  proxy.release();
  assert.deepEqual([(await held).applied, (await next).applied], [1, 1]);
  assert.deepEqual(await bids(), [901, 800]);
  proxy.fail(PUSH, 'limit the rate');
  assert.ok((await thrownBy(venue.quotes.push(1, bid(903)))) instanceof RateLimitedError);
  for (const set of [1, 2]) await venue.quotes.end(set);
});

test('QTS-3: after a lost answer to protect the set tells what came of it', async () => {
  proxy.fail('/v1/batch', 'lose the answer');
  const { ok, isRecovered } = await venue.quotes.protect(TERMS);
  assert.deepEqual([ok, isRecovered], [true, true]);
  proxy.fail('/v1/batch', 'lose the answer');
  const declined = await venue.quotes.protect({ ...TERMS, set: 3, symbol: 'NOPE' });
  assert.deepEqual([declined.ok, declined.reason], [false, 'unknown series']);
  await venue.quotes.end(1);
});
