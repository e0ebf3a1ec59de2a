// @process exchange-node
// @seconds 9

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { apply, createState, NO_EFFECTS } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { StreamFrameSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { WebSocket, WebSocketServer } from 'ws';
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
import { loadConfig } from '../config.ts';
import { tellAll } from '../listeners.ts';
import { StreamClient } from './client.ts';
import type { Holder } from './connected-socket.ts';
import { type HubOptions, STREAM_LIMITS, StreamHub, type StreamLimits } from './hub.ts';
import { FrameBytes } from './wire.ts';

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

describe('the hub', () => {
  it('drops a client whose queue is full when a tick begins, and no other', async (t) => {
    const { hub, connect, moveSpot } = await hubOnItsOwn(t, { ...STREAM_LIMITS, queueMax: 16 });
    const [lively, stuck] = [await connect(), await connect()];
    // A client that does not read fills the system's buffers first, then the queue.
    (stuck as unknown as { _socket: { pause(): void } })._socket.pause();
    await waitFor(async () => {
      moveSpot();
      return hub.clients.size === 1 || undefined;
    });
    assert.equal(lively.readyState, WebSocket.OPEN);
  });

  it('OWN-41: drops a client with many waiting bytes, however few frames they are, and no other', async (t) => {
    const limits = { ...STREAM_LIMITS, queueMax: 1_000_000, queueBytesMax: 200_000 };
    const { hub, connect, moveSpot } = await hubOnItsOwn(t, limits);
    const [lively, stuck] = [await connect(), await connect()];
    (stuck as unknown as { _socket: { pause(): void } })._socket.pause();
    await waitFor(async () => {
      moveSpot();
      return hub.clients.size === 1 || undefined;
    });
    assert.equal(lively.readyState, WebSocket.OPEN);
  });

  it('OWN-41: keeps a client while only the frames of one tick wait, however large they are', () => {
    const passedOn: (() => void)[] = [];
    const client = new StreamClient({
      socket: Object.assign(new EventEmitter(), { readyState: 1, OPEN: 1 }) as unknown as WebSocket,
      connection: {
        writable: true,
        write: (_: Buffer, done: () => void) => passedOn.push(done),
      } as unknown as Socket,
      ...{ holder: null, limits: { queueMax: 512, queueBytesMax: 1_000 }, elapsedMs: () => 0 },
    });
    const tick = () => {
      client.gather(new FrameBytes([Buffer.alloc(5_000)]));
      client.write();
    };
    tick();
    assert.equal(client.isBehind, false);
    tick();
    assert.equal(client.isBehind, true);
    passedOn[0]!();
    assert.equal(client.isBehind, false);
  });

  it('sends spots only if one differs from the last sent', async (t) => {
    const { connect, moveSpot, flush } = await hubOnItsOwn(t, STREAM_LIMITS, { tickMs: 60_000 });
    const { frames } = await connect();
    for (const prices of [[5], [7, 5], [9]]) {
      for (const price of prices) moveSpot(price);
      await flush();
    }
    await waitFor(async () => frames.length === 2 || undefined);
    assert.deepEqual(
      frames.map(({ spots }) => spots[0].spot),
      [5, 9],
    );
  });

  it('sends the spot to a client that comes after all have left, even if they were sent the same one', async (t) => {
    const { hub, connect, moveSpot } = await hubOnItsOwn(t);
    const first = await connect();
    const received = new Promise((resolve) => first.once('message', resolve));
    moveSpot(5);
    await received;
    first.close();
    await waitFor(async () => hub.clients.size === 0 || undefined);
    moveSpot(7);
    const { frames } = await connect();
    moveSpot(5);
    await waitFor(async () => frames[0]?.spots[0].spot === 5 || undefined);
  });

  it('sends a holder nothing from the moment the token expires (AUTH-2)', async (t) => {
    let nowMs = 999;
    const hubOf = await hubOnItsOwn(t, STREAM_LIMITS, { now: () => nowMs, tickMs: 60_000 }, 1_000);
    const { hub, account, connect, flush } = hubOf;
    const socket = await connect();
    const { frames } = socket;
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await waitFor(async () => frames.length === 2 || undefined);
    hub.effects.accountChanged(account);
    await flush();
    await waitFor(async () => frames.length === 3 || undefined);
    hub.effects.accountChanged(account);
    nowMs = 1_000;
    await flush();
    assert.equal(await closed, 4401);
    assert.equal(frames.length, 3);
  });

  it('discards the queue of an expired token (AUTH-2)', async (t) => {
    let nowMs = 0;
    const limits = { ...STREAM_LIMITS, queueMax: 1_000_000, queueBytesMax: 1e9 };
    const hubOf = await hubOnItsOwn(t, limits, { now: () => nowMs }, 1_000);
    const { hub, account, connect, connections, moveSpot } = hubOf;
    const socket = await connect();
    const { frames } = socket;
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await waitFor(async () => frames.length === 2 || undefined);
    const connection = (socket as unknown as { _socket: Socket })._socket.pause();
    await waitFor(async () => {
      moveSpot();
      return connections[0]!.writableLength > 0 || undefined;
    });
    hub.effects.accountChanged(account);
    const queued = connections[0]!.writableLength;
    await waitFor(async () => connections[0]!.writableLength > queued || undefined);
    nowMs = 1_000;
    await waitFor(async () => hub.clients.size === 0 || undefined);
    connection.resume();
    // No close frame either: it would have to go behind the queue.
    assert.equal(await closed, 1006);
    assert.equal(frames.filter(({ type }) => type === 'account').length, 1);
  });

  it('drops a client that has answered no ping for 90 s, and no other', async (t) => {
    let ms = 0;
    const { hub, connect, pongs } = await hubOnItsOwn(t, STREAM_LIMITS, { elapsedMs: () => ms });
    const lively = await connect();
    const silent = await connect({ autoPong: false });
    const closed = new Promise((resolve) => silent.on('close', resolve));
    ms = 20_000;
    hub.clients.ping();
    await waitFor(async () => pongs() === 1 || undefined);
    ms = 89_999;
    hub.clients.dropSilent();
    assert.equal(hub.clients.size, 2);
    ms = 90_000;
    hub.clients.dropSilent();
    await closed;
    await waitFor(async () => hub.clients.size === 1 || undefined);
    assert.equal(lively.readyState, WebSocket.OPEN);
  });

  it('pings while clients are connected', async (t) => {
    const { connect, pongs } = await hubOnItsOwn(t, { ...STREAM_LIMITS, pingMs: 5 });
    await connect();
    await waitFor(async () => pongs() >= 2 || undefined);
  });

  it('checks for silent clients while any are connected', async (t) => {
    const { hub, connect } = await hubOnItsOwn(t, { ...STREAM_LIMITS, silenceMs: 90 });
    await connect({ autoPong: false });
    await waitFor(async () => hub.clients.size === 0 || undefined);
  });

  it('sends a newcomer nothing that happened before it came', async (t) => {
    const { connect, moveSpot } = await hubOnItsOwn(t, STREAM_LIMITS, { tickMs: 60_000 });
    const early = await connect();
    moveSpot();
    const late = await connect();
    await waitFor(async () => early.frames.length === 1 || undefined);
    moveSpot();
    await connect();
    await waitFor(async () => early.frames.length === 2 || undefined);
    await waitFor(async () => late.frames.length === 1 || undefined);
  });
});

async function hubOnItsOwn(
  t: TestContext,
  limits: StreamLimits = STREAM_LIMITS,
  options: Partial<HubOptions> = {},
  expiresAtMs?: number,
) {
  const state = createState();
  const { parameters } = loadConfig({
    VENUE_SYMBOLS: Array.from({ length: 2_000 }, (_, i) => `S${i}:index`).join(','),
  });
  apply(state, { seq: 1, ts: 1, command: { kind: 'configure', parameters } }, NO_EFFECTS);
  apply(
    state,
    { seq: 2, ts: 1, command: { kind: 'open', address: `0x${'a'.repeat(40)}` as Address } },
    NO_EFFECTS,
  );
  const hub = new StreamHub({ state, now: Date.now, tickMs: 2, limits, ...options });
  const account = state.accounts.at(-1)!;
  const holder: Holder | null = expiresAtMs === undefined ? null : { account, expiresAtMs };
  const connections: Socket[] = [];
  let pongs = 0;
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { socket: connection }) => {
    hub.add({ socket, connection, holder });
    connections.push(connection);
    socket.on('pong', () => (pongs += 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    hub.clients.dropAll();
    sockets.close();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const connect = async (options: object = {}) => {
    const frames: Json[] = [];
    const socket = Object.assign(new WebSocket(`ws://127.0.0.1:${port}`, options), { frames });
    socket.on('message', (data) => frames.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    await waitFor(async () => hub.clients.size > 0 || undefined);
    return socket;
  };
  return {
    hub,
    account,
    connections,
    pongs: () => pongs,
    connect,
    /** A newcomer makes the hub send immediately what it would send on the tick. */
    flush: connect,
    /** Moves the spot, by default to a new price each time. */
    moveSpot: (price = state.seq) => {
      const prints = [{ symbol: 'S0', source: 'a', priceMicros: price * 1_000_000 }];
      apply(state, { seq: state.seq + 1, ts: 1, command: { kind: 'prints', prints } }, tellAll([hub.effects]));
    },
  };
}
