/**
 * Two programs that sign with one key: the request of one is lost and the other has used its nonce, so that `nonce already
 * used` answers a write that was never carried out (CID-1).
 */

// @seconds 10

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MemoryStore, openMemoryLog } from '@venue/log';
import {
  randomPrivateKey,
  type Session,
  signCancelOrder,
  VenueClient,
  walletFromPrivateKey,
} from '@venue/sdk';
import {
  DEPOSITS,
  type LocalVenue,
  OPERATOR_TOKEN,
  pricedVenue,
  startVenue,
} from '../../packages/exchange/test/support.ts';
import { lost } from './unknown-outcome.ts';

/** The time that has passed besides, for the venue and for its clients. */
let passedMs = 0;
const now = () => Date.now() + passedMs;

let exchange: LocalVenue;
let seriesId: string;
let session: Session;
/** The program whose requests are lost. */
let venue: VenueClient;
/** The other program, whose requests arrive. */
let other: VenueClient;
/** Requests that will be lost, by path. */
let losses: Map<string, number>;

before(async () => {
  const store = new MemoryStore();
  exchange = await pricedVenue({}, { store, clock: now, log: await openMemoryLog({ store, now }) });
  ({ seriesId } = await exchange.listed('BTC'));
});
after(() => exchange.exchange.stop());
beforeEach(async () => {
  losses = new Map();
  venue = new VenueClient({ url: exchange.url, now, fetch: losing });
  session = await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  other = new VenueClient({ url: exchange.url, now });
  other.auth.useSession(session);
  await other.auth.renew();
});

/** Loses a request and has the other program use its nonce, or loses an answer. */
const losing: typeof fetch = async (input, init) => {
  const { origin, pathname: path } = new URL(String(input));
  if (losses.delete(`answer of ${path}`)) {
    await fetch(input, init);
    throw new TypeError('the line is dead');
  }
  const left = losses.get(path) ?? 0;
  if (left === 0 || init?.method !== 'POST') return fetch(input, init);
  losses.set(path, left - 1);
  const { nonce } = JSON.parse(String(init.body));
  const body = JSON.stringify(signCancelOrder(session, { orderId: 0 }, nonce));
  const headers = { 'content-type': 'application/json' };
  const { ok } = await fetch(`${origin}/v1/order/cancel`, { method: 'POST', headers, body });
  assert.ok(ok);
  throw new TypeError('the line is dead');
};

/** A read takes less, by which the clocks are compared, also where the machine stands still. */
const CLEARLY_BEFORE_MS = 20_000;

/** Has the next write be lost, on whichever path it goes. */
function loseNext(path = '/v1/batch'): void {
  losses.set(path, 1);
}

const terms = () => ({ seriesId, side: 'buy', qty: 0.5, price: 12.25 }) as const;
const openCount = async () => (await other.account.me()).openOrderCount;
const once = { retryMs: 0 } as const;

test('CID-1: cancelAll cancels, although its nonce was used by another program', async () => {
  await other.orders.place(terms());
  loseNext();
  const { ok, pulled } = await venue.orders.cancelAll();
  assert.deepEqual([ok, pulled, await openCount()], [true, 1, 0]);
});

test('CID-1: cancelAll that is sent once is found not to have been carried out', async () => {
  await other.orders.place(terms());
  passedMs += CLEARLY_BEFORE_MS;
  loseNext();
  const error = await lost(venue.orders.cancelAll({ symbols: ['btc'] }, once));
  assert.equal((await error.lookAgain()).verdict, 'not carried out');
  assert.equal(await openCount(), 1);
  await other.orders.cancelAll();
  loseNext();
  assert.equal((await (await lost(venue.orders.cancelAll({}, once))).lookAgain()).verdict, 'carried out');
});

test('CID-1: an order of the other program that came later leaves a lost cancelAll unknown', async () => {
  loseNext();
  const error = await lost(venue.orders.cancelAll({}, once));
  await other.orders.place(terms());
  assert.equal((await error.lookAgain()).verdict, 'unknown');
});

test('CID-1: a guard stands before it is said to, and its verdict is that of guardAt', async () => {
  loseNext();
  const guard = await venue.orders.guard(60_000);
  assert.ok(((await other.account.me()).guardAt ?? 0) > now() + 50_000);
  await guard.remove();
  await other.orders.batch([{ type: 'guard', ms: 60_000 }]);
  passedMs += CLEARLY_BEFORE_MS;
  loseNext();
  const error = await lost(venue.orders.batch([{ type: 'guard', ms: 60_000 }], once));
  assert.equal((await error.lookAgain()).verdict, 'not carried out', 'the older guard is no proof');
  loseNext();
  const removal = await lost(venue.orders.batch([{ type: 'guard', ms: 0 }], once));
  assert.equal((await removal.lookAgain()).verdict, 'not carried out');
});

test('CID-1: orders, amends and cancels are carried out once', async () => {
  loseNext();
  const { status, orderId } = await venue.orders.place(terms());
  loseNext();
  const amended = await venue.orders.amend({ orderId, price: 13 });
  assert.deepEqual([status, amended.status, await openCount()], ['rested', 'rested', 1]);
  assert.equal((await other.account.me()).openOrders[0]?.price, 13);
  loseNext();
  const lostAmend = await lost(venue.orders.amend({ orderId, price: 14 }, once));
  assert.equal((await lostAmend.lookAgain()).verdict, 'not carried out');
  loseNext();
  const lostCancel = await lost(venue.orders.cancel({ orderId }, once));
  assert.equal((await lostCancel.lookAgain()).verdict, 'not carried out');
  loseNext();
  assert.equal((await venue.orders.cancel({ orderId })).ok, true);
  loseNext();
  const lostOrder = await lost(venue.orders.place(terms(), once));
  assert.equal((await lostOrder.lookAgain()).verdict, 'not carried out');
  assert.equal(await openCount(), 0);
});

test('CID-1 QTS-3: a set is protected before it is said to be, and no allowance is given twice', async () => {
  const protection = { set: 1, symbol: 'BTC', windowMs: 60_000, qty: 1, frozenMs: 0 } as const;
  loseNext();
  assert.equal((await venue.quotes.protect(protection)).ok, true);
  assert.equal((await other.quotes.sets()).length, 1);
  loseNext();
  assert.equal((await (await lost(venue.quotes.end(1, once))).lookAgain()).verdict, 'not carried out');
  await other.quotes.push(1, [{ seriesId, bids: [[900, 1]], asks: [] }]);
  const seller = new VenueClient({ url: exchange.url, now });
  await seller.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await seller.orders.setMargin(true);
  await seller.orders.place({ seriesId, side: 'sell', qty: 2, price: 900, tif: 'ioc' });
  assert.equal((await other.quotes.sets())[0]?.frozen, true);
  loseNext();
  assert.equal((await lost(venue.quotes.unfreeze(1))).verdict, 'unknown', 'it may have been used up again');
  assert.equal((await other.quotes.sets())[0]?.frozen, true);
  loseNext();
  assert.equal((await venue.quotes.end(1)).ok, true);
  assert.deepEqual(await other.quotes.sets(), []);
});

test('CID-1 DRM-3: a margin mode is in force before it is said to be', async () => {
  const mode = { type: 'margin-mode', mode: 'defined-risk' } as const;
  loseNext();
  const error = await lost(venue.orders.batch([mode], once));
  assert.equal((await error.lookAgain()).verdict, 'not carried out');
  loseNext();
  const { results } = await venue.orders.batch([mode]);
  assert.equal(results[0].ok, true);
  assert.equal((await other.account.margin()).marginMode, 'defined-risk');
});

test('CID-1: margin and the cancels that are sent once are judged by what the venue shows', async () => {
  const { orderId } = await other.orders.place(terms());
  passedMs += CLEARLY_BEFORE_MS;
  loseNext('/v1/margin');
  assert.equal((await lost(venue.orders.setMargin(true))).verdict, 'not carried out');
  loseNext('/v1/cancel');
  assert.equal((await lost(venue.orders.cancel(['BTC']))).verdict, 'not carried out');
  loseNext('/v1/order/cancel');
  assert.equal((await lost(venue.orders.cancelOrder(orderId))).verdict, 'not carried out');
  await other.orders.cancel();
  await other.orders.setMargin(true);
  loseNext('/v1/margin');
  assert.equal((await lost(venue.orders.setMargin(true))).verdict, 'carried out');
  loseNext('/v1/cancel');
  assert.equal((await lost(venue.orders.cancel())).verdict, 'carried out');
  loseNext('/v1/order/cancel');
  assert.equal((await lost(venue.orders.cancelOrder(orderId))).verdict, 'carried out');
});

test('CID-1 PAY-1: a lost withdrawal is known by the list of what was asked for', async (t) => {
  const store = new MemoryStore();
  const real = await startVenue(DEPOSITS, { store, clock: now, log: await openMemoryLog({ store, now }) });
  t.after(() => real.exchange.stop());
  const owner = new VenueClient({ url: real.url, now, fetch: losing });
  const wallet = walletFromPrivateKey(randomPrivateKey());
  session = await owner.auth.approveSession(wallet);
  const hash = `0x${'1'.padStart(64, '0')}`;
  const log = { chainId: 1, vault: `0x${'7a'.repeat(20)}`, txHash: hash, blockHash: hash, logIndex: 0 };
  const deposit = { address: wallet.address, amount: 1_000_000_000, blockNumber: 1, ...log };
  await owner.custody(OPERATOR_TOKEN).deposit(deposit);
  await owner.withdrawals.request(1);
  passedMs += CLEARLY_BEFORE_MS;
  loseNext('/v1/withdraw');
  assert.equal((await lost(owner.withdrawals.request(1))).verdict, 'not carried out');
  losses.set('answer of /v1/withdraw', 1);
  assert.equal((await lost(owner.withdrawals.request(2))).verdict, 'carried out');
});
