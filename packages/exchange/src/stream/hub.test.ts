import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { apply, createState, NO_EFFECTS } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { WebSocket, WebSocketServer } from 'ws';
import { type Json, waitFor } from '../../test/support.ts';
import { loadConfig } from '../config.ts';
import { tellAll } from '../listeners.ts';
import { StreamClient } from './client.ts';
import type { Holder } from './connected-socket.ts';
import { type HubOptions, STREAM_LIMITS, StreamHub, type StreamLimits } from './hub.ts';
import { FrameBytes } from './wire.ts';

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
    let onSent = () => {};
    const limits = { ...STREAM_LIMITS, queueMax: 1_000_000, queueBytesMax: 1e9 };
    const hubOf = await hubOnItsOwn(t, limits, { now: () => nowMs, onSent: () => onSent() }, 1_000);
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
    const nextTick = new Promise<void>((resolve) => {
      onSent = resolve;
    });
    nowMs = 1_000;
    await nextTick;
    assert.ok(connections[0]!.destroyed, 'at once, not after a closing handshake');
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
      apply(
        state,
        { seq: state.seq + 1, ts: 1, command: { kind: 'prints', prints } },
        tellAll([hub.effects]),
      );
    },
  };
}
