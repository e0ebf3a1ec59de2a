// @process exchange-node
// @seconds 7

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Address } from '@venue/protocol';
import { StreamFrameSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { WebSocket } from 'ws';
import {
  type Json,
  type LocalVenue,
  openSession,
  pricedVenue,
  type Session,
  Stream,
  waitFor,
} from '../../test/support.ts';
import { TOKEN_LIFETIME_MS, Tokens } from '../auth/tokens.ts';
import { STREAM_LIMITS } from './hub.ts';

const SECRET = 'secret-of-the-nodes-secret-of-the-nodes';

/** A token issued a day ago that expires in `inMs`. */
function expiring(address: Address, inMs: number): string {
  const now = () => Date.now() - TOKEN_LIFETIME_MS + inMs;
  return new Tokens({ now, randomBytes, secret: SECRET }).issue(address);
}

const isFrame = Compile(StreamFrameSchema);
const ofType = (type: string) => (frame: Json) => frame.type === type;

describe('the stream (WS-1, FINE-18)', () => {
  let venue: LocalVenue;
  let seriesId: string;
  let sid: number;
  let alice: Session & { token: string };
  before(async () => {
    venue = await pricedVenue({ VENUE_TOKEN_SECRET: SECRET });
    ({ seriesId, sid } = await venue.listed('BTC'));
    await venue.quote({ rows: [[sid, [[1000, 50]], [[1010, 50]]]] });
    alice = await openSession(venue);
  });
  after(() => venue.exchange.stop());

  const buy = async (session: Session, change: object = {}) =>
    venue.post('/v1/order', await session.order({ seriesId, side: 'buy', qty: 1, price: 1010, ...change }));

  it('starts with the account, then its orders', async () => {
    await buy(alice, { price: 900 });
    const stream = await new Stream(venue, alice.token).opened();
    const orders = await stream.frame(ofType('orders'));
    assert.deepEqual(
      stream.frames.slice(0, 2).map(({ type }) => type),
      ['account', 'orders'],
    );
    const { guardAt, ...account } = (await venue.get('/v1/me', { token: alice.token })).body;
    assert.equal(guardAt, null);
    assert.deepEqual(stream.frames[0].account, account);
    assert.deepEqual(Object.keys(orders.orders[0]), ['id', 'seriesId', 'side', 'price', 'remaining']);
    await venue.post('/v1/cancel', await alice.cancel('all'));
    await stream.frame((frame) => frame.type === 'orders' && frame.orders.length === 0);
    stream.socket.close();
  });

  it('sends a fill to its two accounts, each with its own side, and the print to all', async () => {
    const bob = await openSession(venue);
    await venue.post('/v1/margin', await bob.margin(true));
    await venue.post('/v1/order', await bob.order({ seriesId, side: 'sell', qty: 2, price: 1005 }));
    const [own, maker, open] = await Promise.all([
      new Stream(venue, alice.token).opened(),
      new Stream(venue, bob.token).opened(),
      new Stream(venue).opened(),
    ]);
    await buy(alice, { qty: 0.5 });
    const taken = await own.frame(ofType('fill'));
    const made = await maker.frame(ofType('fill'));
    const tape = await open.frame(ofType('tape'));
    const { ts, ...fill } = taken.fill;
    assert.deepEqual(fill, {
      seriesId,
      side: 'buy',
      price: 1005,
      qty: 0.5,
      taker: true,
      signer: alice.key.address.toLowerCase(),
    });
    assert.deepEqual([made.fill.side, made.fill.taker, made.fill.ts], ['sell', false, ts]);
    assert.deepEqual(tape, {
      type: 'tape',
      symbol: 'BTC',
      print: { seriesId, price: 1005, qty: 0.5, side: 'buy', ts },
    });
    const after = await maker.frame((frame) => frame.type === 'orders' && frame.orders[0]?.remaining === 1.5);
    assert.equal(after.orders.length, 1);
    const account = await own.frame(
      (frame) => frame.type === 'account' && frame.account.positions.length > 0,
    );
    assert.equal(account.account.positions[0].qty, 0.5);
    assert.deepEqual(
      open.frames.filter(({ type }) => type !== 'tape' && type !== 'spots'),
      [],
    );
    for (const stream of [own, maker, open]) {
      for (const frame of stream.frames) assert.ok(isFrame.Check(frame), JSON.stringify(frame));
      stream.socket.close();
    }
  });

  it('sends every spot if any moved, and nothing if none did', async () => {
    const stream = await new Stream(venue).opened();
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    await venue.feed([{ symbol: 'ETH', source: 'a', price: 3_000 }]);
    const { spots } = await stream.frame(ofType('spots'));
    assert.deepEqual(spots.slice(0, 2), [
      { symbol: 'BTC', spot: 100_000, feedFresh: true },
      { symbol: 'ETH', spot: 3_000, feedFresh: true },
    ]);
    assert.equal(stream.frames.length, 1);
    stream.socket.close();
  });

  it('keeps a client that reads, even if one order fills more orders than a queue holds frames', async () => {
    const stream = await new Stream(venue, alice.token).opened();
    const count = STREAM_LIMITS.queueMax + 88;
    const resting = { seriesId, side: 'buy', qty: 0.005, price: 1001 };
    for (let i = 0; i < count; i++) await venue.post('/v1/order', resting, { token: alice.token });
    const taker = await openSession(venue);
    await venue.post('/v1/margin', await taker.margin(true));
    await venue.post(
      '/v1/order',
      await taker.order({ seriesId, side: 'sell', qty: count / 200, price: 1001 }),
    );
    const received = (type: string) => stream.frames.filter((frame) => frame.type === type).length;
    await waitFor(async () => (received('tape') === count && received('fill') === count) || undefined);
    await buy(alice, { price: 900 });
    await stream.frame((frame) => frame.type === 'orders' && frame.orders[0]?.price === 900);
    await venue.post('/v1/cancel', await alice.cancel('all'));
    assert.equal(stream.socket.readyState, WebSocket.OPEN);
    stream.socket.close();
  });

  it('does not replay fills from before the connection', async () => {
    const early = await new Stream(venue).opened();
    await buy(alice, { qty: 0.1 });
    const late = await new Stream(venue, alice.token).opened();
    await late.frame(ofType('orders'));
    await buy(alice, { qty: 0.2 });
    const { fill } = await late.frame(ofType('fill'));
    assert.equal(fill.qty, 0.2);
    early.socket.close();
    late.socket.close();
  });

  it('refuses an unknown token with 401 in JSON, and an upgrade elsewhere with 404', async () => {
    const refusal = (path: string) =>
      new Promise<Json>((resolve) => {
        const socket = new WebSocket(venue.url.replace('http', 'ws') + path);
        socket.on('error', () => {});
        socket.on('unexpected-response', (_, response) => {
          let text = '';
          response.on('data', (data) => (text += data));
          response.on('end', () =>
            resolve([response.statusCode, JSON.parse(text), response.headers['access-control-allow-origin']]),
          );
        });
      });
    const unknown = [401, { error: 'missing or unknown token' }, '*'];
    assert.deepEqual(await refusal(`/ws?token=${'0'.repeat(64)}`), unknown);
    assert.deepEqual(await refusal('/ws?token='), unknown);
    assert.deepEqual(await refusal(`/ws?token=${alice.token}&token=${alice.token}`), unknown);
    assert.deepEqual(await refusal('/v1/ws'), [404, { error: 'not found' }, '*']);
  });

  it('ends with the token that opened it, and continues for everybody else (AUTH-2)', async () => {
    const bob = await openSession(venue);
    const old = await new Stream(venue, expiring(bob.account, 5_000)).opened();
    const [young, open] = [await new Stream(venue, bob.token).opened(), await new Stream(venue).opened()];
    await buy(bob, { price: 900 });
    for (const stream of [old, young])
      await stream.frame(({ type, orders }) => type === 'orders' && orders.length === 1);
    assert.equal(await old.closed, 4401);
    const { length } = old.frames;
    await buy(bob, { price: 901 });
    await young.frame(({ type, orders }) => type === 'orders' && orders.length === 2);
    assert.equal(old.frames.length, length);
    assert.equal(open.socket.readyState, WebSocket.OPEN);
    for (const stream of [young, open]) stream.socket.close();
  });

  it('ignores messages from clients, and disconnects one that sends too much', async () => {
    const stream = await new Stream(venue, alice.token).opened();
    stream.socket.send(JSON.stringify({ type: 'order', seriesId, side: 'buy', qty: 1 }));
    stream.socket.send('junk');
    await stream.frame(ofType('orders'));
    assert.equal(stream.socket.readyState, WebSocket.OPEN);
    stream.socket.send('x'.repeat(5_000));
    assert.equal(await stream.closed, 1009);
    assert.equal((await venue.get('/healthz')).status, 200);
  });
});
