/** The channels of the SDK: local books, fills and batches, through lost connections and answers. */

// @seconds 6

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { FillRecord } from '@venue/protocol';
import {
  type Channels,
  openChannels,
  RefusedError,
  randomPrivateKey,
  UnauthorizedError,
  VenueClient,
  walletFromPrivateKey,
} from '@venue/sdk';
import { type LocalVenue, pricedVenue, startVenue } from '../../packages/exchange/test/support.ts';
import { checkChannels } from './channel-checker.ts';
import { eventually } from './launched.ts';
import { FaultyProxy } from './sdk-proxy.ts';

let venue: LocalVenue;
let proxy: FaultyProxy;
let seriesId: string;
let trader: VenueClient;
let channels: Channels;

before(async () => {
  venue = await pricedVenue();
  proxy = await FaultyProxy.start(venue.url);
  ({ seriesId } = await venue.listed('BTC'));
});
after(async () => {
  proxy.stop();
  await venue.exchange.stop();
});
beforeEach(async () => {
  proxy.cutStreams({ thenTake: true });
  trader = new VenueClient({ url: proxy.url });
  await trader.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  channels = openChannels(trader);
});
afterEach(() => channels.close());

test('STR-2, STR-4: books, trades and fills are exact through a load with cut connections', async () => {
  const checked = await checkChannels(venue, { rounds: 6, seed: 11 });
  assert.ok(checked.reconnects >= 3, `${checked.reconnects} reconnects`);
  assert.equal(checked.compared, 24);
  assert.ok(checked.fills > 0);
});

test('a local book says that it is not right while it is not connected, and why it never will be', async () => {
  const book = channels.book(seriesId);
  assert.equal(book.isRight, false);
  await book.right();
  proxy.cutStreams({ thenTake: false });
  await eventually('it is lost', () => !book.isRight);
  const { seq, bids } = book;
  proxy.cutStreams({ thenTake: true });
  await book.right();
  assert.deepEqual([book.seq, book.bids], [seq, bids], 'nothing changed, so nothing was sent');
  await trader.orders.place({ seriesId, side: 'buy', qty: 1, price: 5 });
  await eventually('the level', () => book.bids.some(({ price, qty }) => price === 5 && qty === 1));
  book.close();
  assert.equal(book.isRight, false);
  await assert.rejects(channels.book('NONE-1-C-1').right(), RefusedError);
  await assert.rejects(channels.book(seriesId).right(AbortSignal.abort(new Error('enough'))), /enough/);
});

test('ACC-1: a copy of the account has the orders that rest, after orders came and went', async () => {
  const own = await channels.account().right();
  const account = () => own.account!;
  const { body } = await venue.get('/v1/series?symbol=BTC');
  const quiet: string = body.series.at(-2).seriesId;
  const { orderId } = await trader.orders.place({ seriesId: quiet, side: 'buy', qty: 2, price: 7 });
  await eventually('the order', () => account().openOrders.length === 1);
  const [order] = account().openOrders;
  assert.deepEqual([order?.id, order?.price, order?.remaining], [orderId, 7, 2]);
  const seller = new VenueClient({ url: venue.url });
  await seller.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await seller.orders.setMargin(true);
  proxy.cutStreams({ thenTake: false });
  await eventually('it is lost', () => !own.isRight);
  await seller.orders.place({ seriesId: quiet, side: 'sell', qty: 0.5, price: 7 });
  assert.equal(account().positions.length, 0);
  proxy.cutStreams({ thenTake: true });
  await eventually('the fill', () => account().positions.length === 1);
  const { openOrders, ...rest } = await trader.account.me();
  assert.deepEqual({ ...account(), openOrders: [] }, { ...rest, openOrders: [] });
  assert.equal(account().openOrders[0]?.remaining, 1.5);
  await trader.orders.cancelOrder(orderId!);
  await eventually('none', () => account().openOrders.length === 0 && account().openOrderCount === 0);
  own.close();
  await assert.rejects(own.right(), /the account was closed/);
});

test('a refused channel ends its reader and no other', async () => {
  const own = openChannels(new VenueClient({ url: proxy.url }));
  const private_ = own.messages('orders').next();
  const spots = own.messages('spots');
  await assert.rejects(private_, UnauthorizedError);
  await assert.rejects(own.account().right(), UnauthorizedError);
  const { value } = await spots.next();
  assert.equal(value?.spots[0]?.symbol, 'BTC');
  await spots.return?.();
  const waiting = own.messages('settlements');
  await waiting.next();
  const ended = waiting.next();
  own.close();
  assert.deepEqual(await ended, { done: true, value: undefined });
});

test('a listener hears of messages, and of whether it has all of them; the next attempt can be made at once', async () => {
  const lost = Promise.withResolvers<void>();
  const own = openChannels(trader, {
    retry: { firstMs: 600_000, limitMs: 600_000 },
    onLost: () => lost.resolve(),
  });
  const told: unknown[] = [];
  const stop = own.listen(`book:${seriesId}`, {
    onMessage: ({ type }) => told.push(type),
    onRight: (isRight) => told.push(isRight),
  });
  await eventually('all', () => told.includes(true));
  proxy.cutStreams({ thenTake: true });
  await lost.promise;
  assert.deepEqual(told, ['snapshot', true, false]);
  own.retryNow();
  await eventually('all again', () => told.at(-1) === true);
  stop();
  own.close();
});

test('fills that the venue no longer keeps for the stream come from the history, each once (STR-4)', async () => {
  const taker = new VenueClient({ url: venue.url });
  await taker.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await taker.orders.setMargin(true);
  const { body } = await venue.get('/v1/series?symbol=BTC');
  const quiet: string = body.series.at(-1).seriesId;
  const fill = async (count: number) => {
    const places = { type: 'place', seriesId: quiet, side: 'buy', qty: 0.0001, price: 40 } as const;
    for (let done = 0; done < count; done += 60)
      await trader.orders.batch(Array.from({ length: Math.min(60, count - done) }, () => places));
    await taker.orders.place({ seriesId: quiet, side: 'sell', qty: count / 10_000, price: 40 });
  };
  await fill(1);
  const [first] = await trader.account.fills();
  await fill(510);
  const got: FillRecord[] = [];
  for await (const one of channels.fills({ after: first!.id })) {
    got.push(one);
    if (got.length === 510) await fill(1);
    if (got.length === 511) break;
  }
  const expected: FillRecord[] = [];
  for await (const one of trader.account.allFills()) expected.unshift(one);
  assert.deepEqual(got, expected.slice(1));
});

test('CID-1: a batch goes over the connection; a lost one is found again and never counts twice', async () => {
  await channels.book(seriesId).right();
  const place = { type: 'place', seriesId, side: 'buy', qty: 1, price: 3 } as const;
  proxy.fail('/v1/batch', 'lose the request', 'lose the request');
  const first = await channels.batch([place]);
  assert.deepEqual([first.results[0].status, first.isRecovered], ['rested', false]);
  assert.equal(first.account?.openOrderCount, 1);
  const sent = channels.batch([place], { account: false });
  proxy.cutStreams({ thenTake: true });
  const second = await sent;
  assert.equal(second.results[0].status, 'rested');
  assert.equal((await trader.account.me()).openOrderCount, 2);
  proxy.cutStreams({ thenTake: false });
  const third = await channels.batch([place]);
  assert.equal(third.results[0].status, 'rested');
  assert.equal(third.account?.openOrderCount, 3);
});

test('AUTH-2: a restarted venue forgets the token; the account is followed on with a new one', async () => {
  const own = await pricedVenue();
  const through = await FaultyProxy.start(own.url);
  const moving = new VenueClient({ url: through.url });
  await moving.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  const opened = openChannels(moving);
  const messages = opened.messages('account');
  assert.equal((await messages.next()).value?.type, 'snapshot');
  await own.exchange.stop();
  const again = await startVenue({}, { store: own.store });
  through.retarget(again.url);
  assert.equal((await messages.next()).value?.type, 'snapshot');
  opened.close();
  through.stop();
  await again.exchange.stop();
});
