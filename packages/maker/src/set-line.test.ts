/** The maker as an account with quote sets, on the real exchange (QTS-1 to QTS-5). */

import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { type VenueClient as Client, randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { type LocalVenue, MAKER_TOKEN, pricedVenue, waitFor } from '../../exchange/test/support.ts';
import { shippedFile } from '../test/market.ts';
import { Parameters } from './parameters.ts';
import { runMaker } from './run.ts';

const KEY = randomPrivateKey();
const FROZEN_MS = 400;
/** Contracts at the best price, and of the whole allowance. */
const [SIZE, ALLOWANCE] = [0.5, 2];

let venue: LocalVenue;
let maker: Client;
let taker: Client;
let atTheMoney: string;
let expiryTs: number;

before(async () => {
  const { address } = walletFromPrivateKey(KEY);
  venue = await pricedVenue({
    VENUE_SYMBOLS: 'BTC:crypto',
    VENUE_MARK_MAKERS: address,
    VENUE_PAPER_MAKER_CASH: '10000000',
  });
  ({ expiryTs, seriesId: atTheMoney } = await venue.listed('BTC'));
  maker = new VenueClient({ url: venue.url });
  await maker.auth.signIn(walletFromPrivateKey(KEY));
  taker = new VenueClient({ url: venue.url });
  await taker.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
});

after(() => venue.exchange.stop());

function parameters(): Parameters {
  const file = shippedFile();
  const crypto = file.classes!.crypto as { protection: object };
  crypto.protection = { sizes: ALLOWANCE / SIZE, windowMs: 100, frozenMs: FROZEN_MS };
  return new Parameters(file, new Map([['BTC', 'crypto']]));
}

function start(test: TestContext, makerToken: string | null = null) {
  const stop = new AbortController();
  const lines: string[] = [];
  const config = {
    url: venue.url,
    ...{ makerToken, walletKey: KEY, tickMs: 50, paceMs: 100, metricsPort: null, parameters: parameters() },
  };
  const ended = runMaker({ config, signal: stop.signal, log: (line) => lines.push(line) });
  const end = async () => {
    stop.abort();
    await ended;
  };
  test.after(end);
  return { lines, end };
}

const ownSet = async () => (await maker.quotes.sets())[0];
const askOf = async () => (await taker.market.book(atTheMoney)).asks[0];

test('QTS-1: an account quotes in a protected set, with margin on, and pulls at its stop', async (t) => {
  const { end, lines } = start(t);
  const set = await waitFor(async () => ((await ownSet())?.quotes ? ownSet() : undefined));
  assert.deepEqual([set!.symbol, set!.qty, set!.frozen], ['BTC', ALLOWANCE, false]);
  assert.ok(set!.reserve > 0 && (await maker.account.me()).marginEnabled);
  assert.deepEqual((await maker.account.me()).openOrders, []);
  await end();
  assert.equal((await ownSet())!.quotes, 0);
  assert.match(lines.join('\n'), /quotes stand in \d+ series/);
});

test('QTS-2: the chain has greeks where the maker has the secret too', async (t) => {
  const { end } = start(t, MAKER_TOKEN);
  const leg = await waitFor(async () => {
    const { rows } = await taker.market.chain('BTC', expiryTs);
    return rows.map(({ call }) => call).find((call) => call?.ask && call.iv > 0);
  });
  assert.ok(leg!.iv < 3 && leg!.delta > 0);
  await end();
});

test('QTS-3: a set that is used up is frozen, and quotes again, no cheaper for what was bought', async (t) => {
  const { end, lines } = start(t);
  const before = await waitFor(askOf);
  await taker.orders.place({ seriesId: atTheMoney, side: 'buy', qty: ALLOWANCE, tif: 'ioc' });
  assert.equal((await ownSet())!.quotes, 0, 'everything left in the entry of the fill');
  const again = await waitFor(askOf);
  assert.ok(again.price >= before.price, `${again.price} after ${before.price}`);
  assert.ok((await maker.account.me()).positions.some(({ qty }) => qty === -ALLOWANCE));
  assert.doesNotMatch(lines.join('\n'), /cannot quote/);
  await end();
});

test('QTS-5: quotes that the venue has pulled come back', async (t) => {
  const { end } = start(t);
  await waitFor(askOf);
  await maker.auth.approveSession(walletFromPrivateKey(KEY));
  await maker.orders.cancelAll();
  await waitFor(askOf);
  await end();
});

test('an ended set is protected anew', async (t) => {
  const { end } = start(t);
  await waitFor(askOf);
  await maker.quotes.end((await ownSet())!.set);
  await waitFor(askOf);
  await end();
});

/** Rests an order beyond the maker's value: it takes what the maker quotes there, and the rest of it is in the way. */
async function restBeyond(side: 'buy' | 'sell', share: number, sizes: number): Promise<number> {
  const { asks, bids } = await taker.market.book(atTheMoney);
  const price = Math.round((side === 'buy' ? asks : bids)[0]!.price * share * 100) / 100;
  const quoted = (side === 'buy' ? asks : bids).reduce((sum, { qty }) => sum + qty, 0);
  const qty = Math.min(quoted, ALLOWANCE) + sizes * SIZE;
  const { restedQty, orderId } = (await taker.orders.place({ seriesId: atTheMoney, side, qty, price })) as {
    restedQty: number;
    orderId: number;
  };
  assert.ok(restedQty > 0);
  return orderId;
}

const standsAlone = async (orderId: number) => {
  const { bids, asks } = await taker.market.book(atTheMoney);
  const { openOrders } = await taker.account.me();
  const isGone = !openOrders.some(({ id }) => id === orderId);
  return isGone && bids.length > 0 && asks.length > 0 ? true : undefined;
};

for (const [side, share] of [
  ['buy', 1.02],
  ['sell', 0.98],
] as const)
  test(`MM-5: a stranger's ${side} beyond the value is taken, and both sides then stand`, async (t) => {
    const { end, lines } = start(t);
    await waitFor(askOf);
    const orderId = await restBeyond(side, share, 2.5);
    await waitFor(() => standsAlone(orderId));
    const order = await taker.orders.find({ orderId });
    assert.deepEqual([order.status, order.remaining], ['filled', 0]);
    const taken = (await maker.account.fills()).filter((fill) => fill.taker);
    assert.ok(taken.length >= 3 && taken.every(({ qty }) => qty <= SIZE), 'a size at a time');
    assert.doesNotMatch(lines.join('\n'), /cannot quote/);
    await end();
  });
