/** The sdk's verdict on a write without an answer, compared with the venue's record. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MESSAGES } from '@venue/protocol';
import {
  OutcomeUnknownError,
  randomPrivateKey,
  UnauthorizedError,
  UnavailableError,
  VenueClient,
  VenueUnreachableError,
  type WriteVerdict,
  walletFromPrivateKey,
} from '@venue/sdk';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { type Fault, FaultyProxy } from './sdk-proxy.ts';

const ORDER = '/v1/order';
const CANCEL = '/v1/order/cancel';

let exchange: LocalVenue;
let proxy: FaultyProxy;
let seriesId: string;
let venue: VenueClient;

before(async () => {
  exchange = await pricedVenue();
  proxy = await FaultyProxy.start(exchange.url);
  ({ seriesId } = await exchange.listed('BTC'));
});
after(async () => {
  proxy.stop();
  await exchange.exchange.stop();
});
beforeEach(async () => {
  venue = new VenueClient({ url: proxy.url, timeoutMs: 5_000 });
  await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
});

/** An order that rests, as there are no asks. */
const terms = () => ({ seriesId, side: 'buy', qty: 0.5, price: 12.25 }) as const;

async function lost(call: Promise<unknown>): Promise<OutcomeUnknownError> {
  const error = await call.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OutcomeUnknownError, String(error));
  return error;
}

const CASES: [Fault, WriteVerdict, number, new (...args: never[]) => Error][] = [
  ['lose the answer', 'carried out', 1, VenueUnreachableError],
  ['keep the answer', 'carried out', 1, VenueUnreachableError],
  ['lose the request', 'not carried out', 0, VenueUnreachableError],
  ['blank the answer', 'carried out', 1, UnavailableError],
  ['garble the answer', 'carried out', 1, UnavailableError],
  ['deny it with 404', 'carried out', 1, UnavailableError],
  // The nonce was fresh, so it was spent by this write or by another program with the same key.
  ['double the request', 'unknown', 1, UnauthorizedError],
];
for (const [fault, verdict, orders, cause] of CASES) {
  test(`after "${fault}" the verdict on an order is "${verdict}", and it is sent once`, async () => {
    proxy.fail(ORDER, fault);
    const error = await lost(venue.orders.place(terms()));
    assert.equal(error.verdict, verdict);
    assert.ok(error.cause instanceof cause, String(error.cause));
    assert.match(error.message, new RegExp(`^no answer to POST /v1/order, ${verdict}: `));
    assert.equal(error.account!.openOrderCount, orders);
    assert.deepEqual(
      error.likelyOrderIds,
      error.account!.openOrders.map(({ id }) => id),
    );
    assert.equal((await venue.account.me()).openOrderCount, orders);
  });
}

test('an order that arrives after its verdict is refused by the venue', async () => {
  proxy.fail(ORDER, 'delay the request');
  const error = await lost(venue.orders.place(terms()));
  assert.equal(error.verdict, 'not carried out');
  assert.equal(await proxy.deliver(), MESSAGES.nonceUsed.status);
  assert.equal((await venue.account.me()).openOrderCount, 0);
});

test('a verdict whose own request is lost is unknown, and stays so where that may have spent the nonce', async () => {
  proxy.fail(ORDER, 'lose the request');
  proxy.fail(CANCEL, 'lose the answer');
  const error = await lost(venue.orders.place(terms()));
  assert.equal(error.verdict, 'unknown');
  assert.equal((await error.lookAgain()).verdict, 'unknown');
  assert.equal((await venue.account.me()).openOrderCount, 0);
});

for (const fault of ['blank the answer', 'garble the answer', 'deny it with 404'] as const) {
  test(`after "${fault}" there is no verdict`, async () => {
    proxy.fail(ORDER, 'lose the answer');
    proxy.fail(CANCEL, fault);
    const error = await lost(venue.orders.place(terms()));
    assert.equal(error.verdict, 'unknown');
    assert.equal(error.likelyOrderIds.length, 1);
  });
}

test('a read with a garbled answer is retried, and fails if it stays garbled', async () => {
  proxy.fail('/v1/me', 'garble the answer', 'blank the answer');
  assert.equal((await venue.account.me()).openOrderCount, 0);
  proxy.fail('/v1/fills', 'garble the answer', 'deny it with 404', 'blank the answer');
  await assert.rejects(venue.account.fills(), UnavailableError);
});

test('a value that is not a list of symbols is not split into one, and a fill is not searched by seconds', async () => {
  await assert.rejects(venue.orders.cancel('BTC' as never), TypeError);
  assert.throws(() => venue.follow({ onFrame() {} }, { sinceTs: Date.now() / 1_000 }), RangeError);
  assert.throws(() => venue.auth.useSession({} as never), TypeError);
  for (const timeoutMs of [Number.NaN, 0, -1])
    assert.throws(() => new VenueClient({ url: proxy.url, timeoutMs }), RangeError);
});

test('an unknown verdict is settled by looking again', async () => {
  proxy.fail(ORDER, 'lose the request');
  proxy.fail(CANCEL, 'lose the request');
  const error = await lost(venue.orders.place(terms()));
  assert.equal(error.verdict, 'unknown');
  const again = await error.lookAgain();
  assert.equal(again.verdict, 'not carried out');
  assert.equal((await venue.orders.place(terms())).status, 'rested');
});

test('the fill of a lost order is found, and by it the order', async () => {
  const seller = new VenueClient({ url: exchange.url });
  await seller.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await seller.orders.setMargin(true);
  await seller.orders.place({ seriesId, side: 'sell', qty: 0.5, price: 900 });
  proxy.fail(ORDER, 'keep the answer');
  const error = await lost(venue.orders.place({ seriesId, side: 'buy', qty: 0.5, price: 900 }));
  assert.equal(error.verdict, 'carried out');
  assert.deepEqual(
    error.fillsSince.map(({ qty, price }) => [qty, price]),
    [[0.5, 900]],
  );
  assert.deepEqual(error.likelyOrderIds, [error.fillsSince[0]!.orderId]);
});

test('cancel, margin and a declined order are settled in the same way', async () => {
  proxy.fail('/v1/margin', 'lose the answer');
  const margin = await lost(venue.orders.setMargin(true));
  assert.deepEqual([margin.verdict, margin.account!.marginEnabled], ['carried out', true]);
  proxy.fail('/v1/cancel', 'lose the request');
  assert.equal((await lost(venue.orders.cancel())).verdict, 'not carried out');
  proxy.fail(ORDER, 'lose the answer');
  const declined = await lost(venue.orders.place({ ...terms(), qty: 1e6, price: 1_000 }));
  assert.deepEqual([declined.verdict, declined.likelyOrderIds], ['carried out', []]);
});

test('about an unsigned order only the account can tell', async () => {
  const unsigned = new VenueClient({ url: proxy.url });
  await unsigned.auth.signIn(walletFromPrivateKey(randomPrivateKey()));
  proxy.fail(ORDER, 'lose the answer');
  const error = await lost(unsigned.orders.place(terms()));
  assert.equal(error.verdict, 'unknown');
  assert.equal(error.likelyOrderIds.length, 1);
});

test('SIG-4: two clients with one key place orders at the same time, and none is refused', async () => {
  const session = await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  const other = new VenueClient({ url: proxy.url });
  other.auth.useSession(session);
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => (i % 2 ? venue : other).orders.place({ ...terms(), qty: 0.01 })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], ['rested']);
});

test("the sdk recognises a spent nonce by the venue's exact text", () => {
  assert.equal(MESSAGES.nonceUsed.error, 'nonce already used');
});
