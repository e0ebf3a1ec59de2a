/** The maker as an account with quote sets, on the real exchange (QTS-1 to QTS-5, MM-5). */

// @process maker
// @seconds 9

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { MAKER_TOKEN, waitFor } from '../../exchange/test/support.ts';
import { ALLOWANCE, QuotedMarket, SIZE } from '../test/quoted-market.ts';

let market: QuotedMarket;

before(async () => {
  market = await QuotedMarket.open();
});

beforeEach(() => market.print());

after(() => market.close());

const askOf = () => market.ask();

test('QTS-1: an account quotes in a protected set, with margin on, and pulls at its stop', async (t) => {
  const { maker } = market;
  const { end, lines } = market.run(t);
  const set = await waitFor(async () => ((await market.ownSet())?.quotes ? market.ownSet() : undefined));
  assert.deepEqual([set!.symbol, set!.qty, set!.frozen], ['BTC', ALLOWANCE, false]);
  assert.ok(set!.reserve > 0 && (await maker.account.me()).marginEnabled);
  assert.deepEqual((await maker.account.me()).openOrders, []);
  await end();
  assert.equal((await market.ownSet())!.quotes, 0);
  assert.match(lines.join('\n'), /quotes stand in \d+ series/);
});

test('QTS-2: the chain has greeks where the maker has the secret too', async (t) => {
  const { end } = market.run(t, { makerToken: MAKER_TOKEN });
  const leg = await waitFor(async () => {
    const { rows } = await market.taker.market.chain('BTC', market.expiryTs);
    return rows.map(({ call }) => call).find((call) => call?.ask && call.iv > 0);
  });
  assert.ok(leg!.iv < 3 && leg!.delta > 0);
  await end();
});

test('QTS-3: a set that is used up is frozen, and quotes again, no cheaper for what was bought', async (t) => {
  const { maker, taker, atTheMoney } = market;
  const { end, lines } = market.run(t);
  const before = await waitFor(askOf);
  await taker.orders.place({ seriesId: atTheMoney, side: 'buy', qty: ALLOWANCE, tif: 'ioc' });
  assert.equal((await market.ownSet())!.quotes, 0, 'everything left in the entry of the fill');
  const again = await waitFor(askOf);
  assert.ok(again.price >= before.price, `${again.price} after ${before.price}`);
  assert.ok((await maker.account.me()).positions.some(({ qty }) => qty === -ALLOWANCE));
  assert.doesNotMatch(lines.join('\n'), /cannot quote/);
  await end();
});

test('QTS-5: quotes that the venue has pulled come back', async (t) => {
  const { maker } = market;
  const { end } = market.run(t);
  await waitFor(askOf);
  await maker.auth.approveSession(walletFromPrivateKey(market.keys[0]!));
  await maker.orders.cancelAll();
  await waitFor(askOf);
  await end();
});

test('QTS-1: goes on above the nonces of an earlier run whose clock was ahead', async (t) => {
  const { venue, keys } = market;
  const ahead = Date.now() + 55_000;
  let nonce = ahead;
  const earlier = new VenueClient({ url: venue.url, nonceOf: () => nonce++ });
  await earlier.auth.approveSession(walletFromPrivateKey(keys[0]!));
  await earlier.quotes.protect({ set: 1, symbol: 'BTC', windowMs: 1_000, qty: 1, frozenMs: 0 });
  await earlier.quotes.push(1, []);
  await earlier.orders.cancelAll();
  const { end } = market.run(t);
  await waitFor(askOf);
  assert.ok((await market.taker.market.venue()).time < ahead, 'no levels until the clock had caught up');
  await end();
});

test('an ended set is protected again', async (t) => {
  const { end } = market.run(t);
  await waitFor(askOf);
  await market.maker.quotes.end((await market.ownSet())!.set);
  await waitFor(askOf);
  await end();
});

test("MM-5: a stranger's bid above the value is sold to, a size at a time, and both sides then stand", async (t) => {
  const { end, lines } = market.run(t);
  await waitFor(askOf);
  const orderId = await market.restBeyond('buy', 2.5);
  await waitFor(() => market.isClear());
  assert.equal((await market.taker.orders.find({ orderId })).status, 'filled');
  const taken = (await market.maker.account.fills()).filter((fill) => fill.taker);
  assert.ok(taken.length >= 3 && taken.every(({ side, qty }) => side === 'sell' && qty <= SIZE));
  assert.doesNotMatch(lines.join('\n'), /cannot quote/);
  await end();
});
