/** The sdk's verdict on a write without an answer, compared with the venue's record. */

// @seconds 34

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MESSAGES } from '@venue/protocol';
import {
  type OutcomeUnknownError,
  randomPrivateKey,
  UnavailableError,
  VenueClient,
  VenueUnreachableError,
  type WriteVerdict,
  walletFromPrivateKey,
} from '@venue/sdk';
import { type LocalVenue, pricedVenue } from '../../packages/exchange/test/support.ts';
import { type Fault, FaultyProxy } from './sdk-proxy.ts';
import { lost } from './unknown-outcome.ts';

const BATCH = '/v1/batch';
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

/** Sent once, so that its outcome is not known at first. */
const once = { retryMs: 0 } as const;

const CASES: [Fault, WriteVerdict, number, new (...args: never[]) => Error][] = [
  ['lose the answer', 'carried out', 1, VenueUnreachableError],
  ['keep the answer', 'carried out', 1, VenueUnreachableError],
  ['lose the request', 'not carried out', 0, VenueUnreachableError],
  ['blank the answer', 'carried out', 1, UnavailableError],
  ['garble the answer', 'carried out', 1, UnavailableError],
  ['deny it with 404', 'carried out', 1, UnavailableError],
];
for (const [fault, verdict, orders, cause] of CASES) {
  test(`CID-1: after "${fault}" an order that is sent once is found to be "${verdict}"`, async () => {
    proxy.fail(BATCH, fault);
    const error = await lost(venue.orders.place(terms(), once));
    assert.equal(error.verdict, 'unknown');
    assert.match(error.message, /^no answer to POST \/v1\/batch, unknown: /);
    assert.ok(error.cause instanceof cause, String(error.cause));
    const found = await error.lookAgain();
    assert.equal(found.verdict, verdict);
    assert.equal(found.account!.openOrderCount, orders);
    assert.deepEqual(
      found.orderIds,
      found.account!.openOrders.map(({ id }) => id),
    );
    assert.equal((await venue.account.me()).openOrderCount, orders);
  });

  test(`CID-1: after "${fault}" an order is sent again, and rests once`, async () => {
    proxy.fail(BATCH, fault);
    const { status, orderId } = await venue.orders.place(terms());
    assert.equal(status, 'rested');
    const { openOrders } = await venue.account.me();
    assert.deepEqual(
      openOrders.map(({ id }) => id),
      [orderId],
    );
  });
}

test('CID-1: an order whose request is doubled rests once, and its spent nonce is no failure', async () => {
  proxy.fail(BATCH, 'double the request');
  const { status, isRecovered } = await venue.orders.place(terms());
  assert.deepEqual([status, isRecovered], ['rested', true]);
  assert.equal((await venue.account.me()).openOrderCount, 1);
});

test('an order that arrives after its verdict is refused by the venue', async () => {
  proxy.fail(BATCH, 'delay the request');
  const error = await lost(venue.orders.place(terms(), once));
  assert.equal((await error.lookAgain()).verdict, 'not carried out');
  assert.equal(await proxy.deliver(), MESSAGES.nonceUsed.status);
  assert.equal((await venue.account.me()).openOrderCount, 0);
});

for (const fault of [
  'lose the answer',
  'blank the answer',
  'garble the answer',
  'deny it with 404',
] as const) {
  test(`a verdict waits for one that the venue answered, where "${fault}" hid whether the nonce is used`, async () => {
    proxy.fail(BATCH, 'lose the request');
    const error = await lost(venue.orders.place(terms(), once));
    proxy.fail(CANCEL, fault);
    assert.equal((await error.lookAgain()).verdict, 'unknown');
    assert.equal((await error.lookAgain()).verdict, 'not carried out');
    assert.equal((await venue.account.me()).openOrderCount, 0);
  });
}

/** A batch that did not arrive while its nonce lived. */
async function lostForLong(send: (late: VenueClient) => Promise<unknown>): Promise<OutcomeUnknownError> {
  let lateMs = 0;
  let nonce = 0;
  const late = new VenueClient({
    ...{ url: proxy.url, timeoutMs: 5_000 },
    nonceOf: () => (nonce = Math.max(nonce + 1, Date.now() - lateMs)),
  });
  await late.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  nonce = 0;
  lateMs = 70_000;
  proxy.fail(BATCH, 'delay the request');
  const error = await lost(send(late));
  lateMs = 0;
  return error;
}

test('CID-1: a cancel lost for longer than its nonce lives, with an order or without, stays unknown', async () => {
  const cancel = { type: 'cancel', orderId: 1 } as const;
  for (const actions of [[cancel], [cancel, { type: 'place', ...terms() } as const]]) {
    const error = await lostForLong((late) => late.orders.batch(actions, once));
    assert.equal((await error.lookAgain()).verdict, 'unknown');
    await proxy.deliver();
  }
});

test('CID-1: an order lost for longer than its nonce lives is known by its client id', async () => {
  const error = await lostForLong((late) => late.orders.place(terms(), once));
  const found = await error.lookAgain();
  assert.deepEqual([found.verdict, found.account!.openOrderCount], ['not carried out', 0]);
  assert.equal(await proxy.deliver(), MESSAGES.nonceOutsideWindow.status);
  const { results } = await found.retry();
  assert.deepEqual(
    results.map((result) => 'status' in result && result.status),
    ['rested'],
  );
});

test('a read with a garbled answer is retried, and fails if it stays garbled', async () => {
  proxy.fail('/v1/me', 'garble the answer', 'blank the answer');
  assert.equal((await venue.account.me()).openOrderCount, 0);
  proxy.fail('/v1/fills', 'garble the answer', 'deny it with 404', 'blank the answer');
  await assert.rejects(venue.account.fills(), UnavailableError);
});

test('a value that is not a list of symbols is not split into one', async () => {
  await assert.rejects(venue.orders.cancel('BTC' as never), TypeError);
  assert.throws(() => venue.auth.useSession({} as never), TypeError);
  for (const timeoutMs of [Number.NaN, 0, -1])
    assert.throws(() => new VenueClient({ url: proxy.url, timeoutMs }), RangeError);
});

test('an unknown verdict is settled by looking again', async () => {
  proxy.fail(BATCH, 'lose the request');
  const error = await lost(venue.orders.place(terms(), once));
  proxy.fail(CANCEL, 'lose the request');
  const unknown = await error.lookAgain();
  assert.equal(unknown.verdict, 'unknown');
  assert.equal((await unknown.lookAgain()).verdict, 'not carried out');
  assert.equal((await venue.orders.place(terms())).status, 'rested');
});

test('CID-1: the fill of an order whose answer was lost is found, and by it the result', async () => {
  const seller = new VenueClient({ url: exchange.url });
  await seller.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await seller.orders.setMargin(true);
  await seller.orders.place({ seriesId, side: 'sell', qty: 0.5, price: 900 });
  proxy.fail(BATCH, 'keep the answer');
  const { status, fills, isRecovered } = await venue.orders.place({
    ...{ seriesId, side: 'buy', qty: 0.5, price: 900 },
  });
  assert.deepEqual([status, fills, isRecovered], ['filled', [{ price: 900, qty: 0.5 }], true]);
});

test('CMB-3 CID-1: a combo whose answer was lost is found, with its fills leg by leg', async () => {
  const { body } = await exchange.get('/v1/series?symbol=BTC');
  const [near, far] = body.series.slice(-2) as { seriesId: string }[];
  const maker = new VenueClient({ url: exchange.url });
  await maker.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await maker.orders.setMargin(true);
  await maker.orders.batch([
    { type: 'place', seriesId: near!.seriesId, side: 'sell', qty: 1, price: 900 },
    { type: 'place', seriesId: near!.seriesId, side: 'sell', qty: 1, price: 910 },
    { type: 'place', seriesId: far!.seriesId, side: 'buy', qty: 2, price: 500 },
  ]);
  await venue.orders.setMargin(true);
  const legs = [
    { seriesId: near!.seriesId, side: 'buy', ratio: 1 },
    { seriesId: far!.seriesId, side: 'sell', ratio: 1 },
  ] as const;
  const fill = ([leg, price]: readonly [0 | 1, number], qty: number) => {
    const { seriesId: ofLeg, side } = legs[leg];
    return { seriesId: ofLeg, side, price, qty };
  };
  proxy.fail(BATCH, 'keep the answer');
  const found = await venue.orders.combo({ legs, qty: 1.5, net: 410 });
  assert.deepEqual([found.status, found.isRecovered], ['filled', true]);
  assert.deepEqual(found.fills, [fill([0, 900], 1), fill([0, 910], 0.5), fill([1, 500], 1.5)]);
  proxy.fail(BATCH, 'lose the request');
  const sentAgain = await venue.orders.combo({ legs, qty: 2, net: 410 });
  assert.deepEqual([sentAgain.status, sentAgain.fills.length], ['partial', 2]);
  proxy.fail(BATCH, 'lose the answer');
  const none = await venue.orders.combo({ legs, qty: 1, net: 1 });
  assert.deepEqual([none.status, none.isRecovered, none.fills], ['rejected', false, []]);
  const { orders } = await venue.orders.list({ status: 'closed' });
  assert.deepEqual(
    orders.map((order) => ['legs' in order && order.legs, order.filledQty, order.cause]),
    [
      [legs, 0.5, 'ioc'],
      [legs, 1.5, 'filled'],
    ],
  );
});

test('DRM-3 CID-1: a switch of the margin mode whose answer was lost is known by the mode in force', async () => {
  proxy.fail(BATCH, 'keep the answer');
  const { results, isRecovered } = await venue.orders.batch([{ type: 'margin-mode', mode: 'defined-risk' }]);
  assert.deepEqual([results[0], isRecovered], [{ type: 'margin-mode', ok: true }, true]);
  assert.equal((await venue.account.margin()).marginMode, 'defined-risk');
});

test('cancel and margin are sent once, and settled by what the venue shows', async () => {
  proxy.fail('/v1/margin', 'lose the answer');
  const margin = await lost(venue.orders.setMargin(true));
  assert.deepEqual([margin.verdict, margin.account!.marginEnabled], ['carried out', true]);
  proxy.fail('/v1/cancel', 'lose the request');
  assert.equal((await lost(venue.orders.cancel())).verdict, 'not carried out');
  proxy.fail('/v1/margin', 'double the request');
  assert.equal((await lost(venue.orders.setMargin(true))).verdict, 'carried out');
});

test('CID-1: an order whose decline was lost is sent again, and its reason comes with the second', async () => {
  proxy.fail(BATCH, 'lose the answer');
  const declined = await venue.orders.place({ ...terms(), qty: 1e6, price: 1_000 });
  assert.equal(declined.status, 'rejected');
  assert.match('reason' in declined ? `${declined.reason}` : '', /buying power/);
  assert.equal((await venue.account.me()).openOrderCount, 0);
});

test('CID-1: an unsigned order is found by its client id', async () => {
  const unsigned = new VenueClient({ url: proxy.url });
  await unsigned.auth.signIn(walletFromPrivateKey(randomPrivateKey()));
  proxy.fail(BATCH, 'lose the answer');
  assert.equal((await unsigned.orders.place(terms())).status, 'rested');
  assert.equal((await unsigned.account.me()).openOrderCount, 1);
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
