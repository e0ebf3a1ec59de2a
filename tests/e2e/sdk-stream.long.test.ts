/** The resilient stream: through cut connections, a restarted venue and a refused token. */

// @seconds 24

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { StreamFill, StreamFrame } from '@venue/protocol';
import { AbortedError, type Follower, randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import WebSocket from 'ws';
import { type LocalVenue, pricedVenue, startVenue } from '../../packages/exchange/test/support.ts';
import { eventually } from './launched.ts';
import { FaultyProxy } from './sdk-proxy.ts';

/** Long enough that a read may know more than the stream. */
const TICK_MS = '150';

let exchange: LocalVenue;
let proxy: FaultyProxy;
let seriesId: string;
let trader: VenueClient;
let seller: VenueClient;
let follower: Follower | null = null;

before(async () => {
  exchange = await pricedVenue({ VENUE_WS_TICK_MS: TICK_MS });
  proxy = await FaultyProxy.start(exchange.url);
  ({ seriesId } = await exchange.listed('BTC'));
});
after(async () => {
  proxy.stop();
  await exchange.exchange.stop();
});
beforeEach(async () => {
  proxy.cutStreams({ thenTake: true });
  trader = new VenueClient({ url: proxy.url });
  await trader.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  seller = new VenueClient({ url: proxy.url });
  await seller.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  await seller.orders.setMargin(true);
});
afterEach(() => follower?.close());

/** One fill for the trader, identified by its quantity, in thousandths. */
async function trade(thousandths: number): Promise<void> {
  const qty = thousandths / 1_000;
  await seller.orders.place({ seriesId, side: 'sell', qty, price: 500 });
  await trader.orders.place({ seriesId, side: 'buy', qty, price: 500 });
}

class Heard {
  readonly frames: StreamFrame[] = [];
  readonly events: string[] = [];
  readonly reasons: string[] = [];

  readonly handlers = {
    onFrame: (frame: StreamFrame) => {
      this.frames.push(frame);
    },
    onLive: () => {
      this.events.push('live');
    },
    onLost: ({ reason }: { reason: Error }) => {
      this.events.push('lost');
      this.reasons.push(reason.message);
    },
  };

  /** Quantities of the fills in order, in thousandths. */
  get fills(): number[] {
    const fills = this.frames.flatMap((frame): StreamFill[] => (frame.type === 'fill' ? [frame.fill] : []));
    return fills.map(({ qty }) => Math.round(qty * 1_000));
  }
}

function follow(client: VenueClient, heard: Heard, options?: Parameters<VenueClient['follow']>[1]): Follower {
  follower = client.follow(heard.handlers, options);
  return follower;
}

const live = (heard: Heard, times = 1) =>
  eventually(`live ${times} times`, () => heard.events.filter((event) => event === 'live').length >= times);

test('FINE-18: it starts with account and orders, and reports nothing from before', async () => {
  await trade(1);
  const heard = new Heard();
  const { isLive } = follow(trader, heard);
  assert.equal(isLive, false);
  await live(heard);
  assert.deepEqual([heard.frames[0]!.type, heard.frames[1]!.type], ['account', 'orders']);
  await trade(2);
  await eventually('the fill', () => heard.fills.length > 0);
  assert.deepEqual(heard.fills, [2]);
});

test('missed fills arrive once each and in order, before the account that follows them', async () => {
  const heard = new Heard();
  follow(trader, heard);
  await live(heard);
  await trade(1);
  await eventually('the first fill', () => heard.fills.length === 1);
  proxy.cutStreams({ thenTake: false });
  await eventually('it is lost', () => heard.events.includes('lost'));
  for (const thousandths of [2, 3, 4]) await trade(thousandths);
  proxy.cutStreams({ thenTake: true });
  await live(heard, 2);
  await trade(5);
  await eventually('the last fill', () => heard.fills.includes(5));
  assert.deepEqual(heard.fills, [1, 2, 3, 4, 5]);
  const types = heard.frames.map(({ type }) => type);
  const lastMissed = heard.frames.findIndex((frame) => frame.type === 'fill' && frame.fill.qty === 0.004);
  assert.equal(types[lastMissed + 1], 'account');
  assert.deepEqual([...new Set(heard.reasons)], ['the stream ended: the connection was lost or refused']);
});

test('a fill that arrives while missed ones are read is reported once, after them', async () => {
  const heard = new Heard();
  follow(trader, heard);
  await live(heard);
  proxy.cutStreams({ thenTake: false });
  await eventually('it is lost', () => heard.events.includes('lost'));
  await trade(1);
  proxy.fail('/v1/fills', 'hold the request');
  proxy.cutStreams({ thenTake: true });
  await eventually('the read', () => proxy.heldCount > 0);
  await trade(2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(heard.fills, [], 'nothing is told before what came before it');
  proxy.release();
  await trade(3);
  await eventually('the last fill', () => heard.fills.includes(3));
  assert.deepEqual(heard.fills, [1, 2, 3]);
});

test('during trading with cuts at any moment no fill is lost and none is repeated', async () => {
  const heard = new Heard();
  follow(trader, heard);
  await live(heard);
  const all = Array.from({ length: 60 }, (_, i) => i + 1);
  const trading = (async () => {
    for (const thousandths of all) await trade(thousandths);
  })();
  const cutting = setInterval(() => proxy.cutStreams({ thenTake: true }), 330);
  after(() => clearInterval(cutting));
  await trading;
  clearInterval(cutting);
  await eventually('every fill', () => heard.fills.length >= all.length);
  assert.deepEqual(heard.fills, all);
  assert.ok(heard.events.includes('lost'), 'it was cut');
});

test('a later start resumes from the last fill of an earlier one', async () => {
  const heard = new Heard();
  const first = follow(trader, heard);
  await live(heard);
  await trade(1);
  await eventually('the fill', () => heard.fills.length === 1);
  first.close();
  await trade(2);
  const later = new Heard();
  const { lastFillTs } = first;
  assert.ok(lastFillTs !== null);
  follow(trader, later, { sinceTs: lastFillTs });
  await eventually('the fill of meanwhile', () => later.fills.length > 0);
  assert.deepEqual(later.fills, [2]);
});

test('AUTH-2: a restarted venue refuses the token; it signs in again and misses nothing', async () => {
  const heard = new Heard();
  follow(trader, heard);
  await live(heard);
  const token = trader.token;
  await exchange.exchange.stop();
  const { store } = exchange;
  exchange = await startVenue({ VENUE_WS_TICK_MS: TICK_MS }, { store });
  proxy.retarget(exchange.url);
  await trade(7);
  await live(heard, 2);
  assert.notEqual(trader.token, token);
  assert.deepEqual(heard.fills, [7]);
});

test('a silent connection is replaced', async () => {
  const heard = new Heard();
  follow(trader, heard, { silenceMsMax: 400 });
  await live(heard, 2);
  assert.match(heard.reasons[0]!, /it was silent/);
});

/** A connection whose other end is gone, so that its close event comes late. */
class Tardy extends WebSocket {
  override addEventListener(type: never, listener: never): void {
    const late = () => setTimeout(listener as () => void, 1_500);
    super.addEventListener(type, type === 'close' ? (late as never) : listener);
  }
}

test('the late close of an old connection does not affect the current one', async () => {
  const heard = new Heard();
  const client = new VenueClient({ url: proxy.url, webSocket: Tardy });
  const wallet = walletFromPrivateKey(randomPrivateKey());
  await client.auth.approveSession(wallet);
  // Longer than a loaded machine pauses between two of the trades below.
  follow(client, heard, { silenceMsMax: 10_000 });
  await live(heard, 2);
  for (let i = 1; i <= 15; i++) {
    await trade(i);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  const prints = () => heard.frames.filter(({ type }) => type === 'tape').length;
  await eventually('every print', () => prints() === 15);
  assert.deepEqual(heard.events, ['live', 'lost', 'live']);
});

test('without a token it delivers the public frames, through a given socket', async () => {
  const heard = new Heard();
  const stranger = new VenueClient({ url: proxy.url, webSocket: WebSocket });
  follow(stranger, heard);
  await live(heard);
  await trade(3);
  await eventually('the print', () => heard.frames.some(({ type }) => type === 'tape'));
  assert.ok(heard.frames.every(({ type }) => type === 'tape' || type === 'spots'));
});

test('closed, it is silent and opens no more connections', async () => {
  const heard = new Heard();
  const closed = follow(trader, heard);
  await live(heard);
  closed.close();
  closed.close();
  assert.equal(closed.isLive, false);
  const { length } = heard.frames;
  const { length: asked } = proxy.upgrades;
  await trade(9);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  assert.deepEqual([heard.frames.length, proxy.upgrades.length, heard.events], [length, asked, ['live']]);
});

test('closed by its own handler, it stops in the middle of its reports', async () => {
  const first = new Heard();
  const begun = follow(trader, first);
  await live(first);
  const { lastFillTs } = begun;
  begun.close();
  for (const thousandths of [1, 2, 3]) await trade(thousandths);
  const heard = new Heard();
  const onFrame = (frame: StreamFrame) => {
    heard.handlers.onFrame(frame);
    if (frame.type === 'fill') follower!.close();
  };
  follower = trader.follow({ ...heard.handlers, onFrame }, { sinceTs: lastFillTs! });
  await eventually('a fill', () => heard.fills.length > 0);
  assert.deepEqual([heard.fills, heard.events], [[1], []]);
});

test('a handler that throws or rejects ends neither the stream nor the process', async () => {
  const faults: string[] = [];
  const client = new VenueClient({ url: proxy.url, onHandlerError: (fault) => faults.push(String(fault)) });
  await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  const heard = new Heard();
  const onFrame = async (frame: StreamFrame) => {
    heard.handlers.onFrame(frame);
    if (heard.frames.length === 1) throw new Error('of the first frame');
  };
  const onLive = () => {
    heard.handlers.onLive();
    throw new Error('of being live');
  };
  follower = client.follow({ ...heard.handlers, onFrame, onLive });
  await live(heard);
  await trade(4);
  await eventually('the print', () => heard.frames.some(({ type }) => type === 'tape'));
  assert.deepEqual(faults.sort(), ['Error: of being live', 'Error: of the first frame']);
  assert.deepEqual(heard.events, ['live']);
});

test('ACC-1: account and orders of the follower are those that rest, after orders came and went', async () => {
  const heard = new Heard();
  const followed = follow(trader, heard);
  await live(heard);
  const { orderId } = await trader.orders.place({ seriesId, side: 'buy', qty: 2, price: 7 });
  await eventually('the order', () => followed.orders.length === 1);
  assert.deepEqual(followed.orders, [{ id: orderId, seriesId, side: 'buy', price: 7, remaining: 2 }]);
  const { openOrders, openOrderCount } = followed.account!;
  assert.equal(openOrderCount, 1);
  assert.deepEqual({ ...openOrders[0]!, ts: 0 }, { ...followed.orders[0], symbol: 'BTC', qty: 2, ts: 0 });
  await seller.orders.place({ seriesId, side: 'sell', qty: 0.5, price: 7 });
  await eventually('the fill', () => followed.account!.positions.length === 1);
  await eventually('the rest', () => followed.account!.openOrders[0]!.remaining === 1.5);
  assert.equal(followed.account!.openOrders[0]!.qty, 2);
  await trader.orders.cancelOrder(orderId);
  await eventually('none', () => followed.orders.length === 0 && followed.account!.openOrderCount === 0);
});

test('an aborted signal closes the follower', async () => {
  const stop = new AbortController();
  const heard = new Heard();
  const bounded = trader.with({ signal: stop.signal });
  follower = bounded.follow(heard.handlers);
  await live(heard);
  stop.abort();
  assert.equal(follower.isLive, false);
  const { length } = heard.frames;
  await trade(1);
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(heard.frames.length, length);
  await assert.rejects(bounded.account.me(), AbortedError);
  assert.ok((await trader.account.me()).cash > 0);
});
