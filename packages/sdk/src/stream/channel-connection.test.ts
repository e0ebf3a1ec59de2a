import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChannelEndedError,
  type ChannelsOptions,
  openChannels,
  RefusedError,
  randomPrivateKey,
  type Session,
  UnauthorizedError,
  VenueClient,
  walletFromPrivateKey,
} from '../browser.ts';
import type { WebSocketLike } from '../net/socket.ts';

const PING_MS = 20;

/** A venue's side of the connections of one test. */
class FakeStream {
  opened = 0;
  pings = 0;
  /** Sends a message to the newest connection. */
  say: (text: string) => void = () => {};
  /** Status of the answers by operation; 200 for those that are not named. */
  readonly statuses = new Map<string, number>();
  /** Bodies of good answers by operation; an empty one for those that are not named. */
  readonly bodies = new Map<string, object>();
  readonly sent: string[] = [];
  /** From now on it says nothing, and does not end either. */
  isMute = false;
  readonly WebSocket: new (
    url: string,
  ) => WebSocketLike;

  constructor() {
    const stream = this;
    this.WebSocket = class implements WebSocketLike {
      readyState = 1;
      readonly #listeners = new Map<string, ((event: { data: unknown }) => void)[]>();

      constructor(_url: string) {
        stream.opened += 1;
        stream.say = (text) => this.#tell('message', text);
        setImmediate(() => this.#tell('open', null));
      }

      addEventListener(type: string, listener: (event: { data: unknown }) => void): void {
        this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
      }

      send(text: string): void {
        const { id, op } = JSON.parse(text) as { id: number; op: string };
        if (op === 'ping') stream.pings += 1;
        stream.sent.push(text);
        if (stream.isMute) return;
        const status = stream.statuses.get(op) ?? 200;
        const body =
          status === 200
            ? (stream.bodies.get(op) ?? {})
            : { error: status === 401 ? 'missing or unknown token' : 'internal error' };
        setImmediate(() => this.#tell('message', JSON.stringify({ id, status, seq: 1, body })));
      }

      close(): void {
        this.readyState = 3;
        this.#tell('close', null);
      }

      #tell(type: string, data: unknown): void {
        for (const listener of this.#listeners.get(type) ?? []) listener({ data });
      }
    };
  }
}

function opened(t: TestContext, options: ChannelsOptions) {
  const stream = new FakeStream();
  const fetch = async () => Response.json({ venue: 'a' });
  const client = new VenueClient({ url: 'http://127.0.0.1:1', webSocket: stream.WebSocket, fetch });
  const channels = openChannels(client, { pingMs: PING_MS, ...options });
  t.after(() => channels.close());
  channels.listen('spots', { onMessage() {} });
  return { stream, channels };
}

const until = async (what: () => boolean) => {
  for (const startMs = Date.now(); !what(); await sleep(1))
    if (Date.now() - startMs > 60_000) throw new Error('waited in vain');
};

it('a connection without news is asked for a sign of life (STR-1)', async (t) => {
  const live = Promise.withResolvers<void>();
  const { stream, channels } = opened(t, { onLive: live.resolve });
  assert.equal(channels.heardMs, null, 'not before it is connected');
  await live.promise;
  const firstMs = channels.heardMs!;
  await until(() => stream.pings >= 3);
  assert.ok(channels.heardMs! > firstMs);
  assert.equal(stream.opened, 1);
});

it('an aborted signal closes the channels for good, and tells their handlers nothing more', async () => {
  const stream = new FakeStream();
  const fetch = async () => Response.json({ venue: 'a' });
  const client = new VenueClient({ url: 'http://127.0.0.1:1', webSocket: stream.WebSocket, fetch });
  const stop = new AbortController();
  const live = Promise.withResolvers<void>();
  const channels = openChannels(client.with({ signal: stop.signal }), {
    onLive: live.resolve,
    onLost: () => assert.fail(),
    retry: { firstMs: 1, limitMs: 1 },
  });
  const book = channels.book('BTC-1796040000-C-90000');
  await live.promise;
  stop.abort();
  await assert.rejects(book.right(), /the book was closed/);
  await sleep(20);
  assert.deepEqual([channels.isLive, stream.opened], [false, 1]);
});

it('a handler that throws or rejects ends no connection, and is told to the one for such errors', async (t) => {
  const stream = new FakeStream();
  const faults: string[] = [];
  const client = new VenueClient({
    ...{ url: 'http://127.0.0.1:1', webSocket: stream.WebSocket },
    fetch: async () => Response.json({ venue: 'a' }),
    onHandlerError: (fault) => faults.push(String(fault)),
  });
  const channels = openChannels(client, {
    onLive() {
      throw new Error('of being live');
    },
  });
  t.after(() => channels.close());
  let told = 0;
  channels.listen('spots', {
    async onMessage() {
      told += 1;
      throw new Error(`of message ${told}`);
    },
  });
  await until(() => channels.isLive);
  for (const seq of [1, 2])
    stream.say(JSON.stringify({ channel: 'spots', type: 'snapshot', seq, spots: [] }));
  await until(() => faults.length === 3);
  assert.deepEqual(faults.sort(), ['Error: of being live', 'Error: of message 1', 'Error: of message 2']);
  assert.deepEqual([channels.isLive, stream.opened], [true, 1]);
});

it('a node out of touch with its log is not heard, and left after three refusals (STR-4)', async (t) => {
  const lost = Promise.withResolvers<{ readonly reason: Error }>();
  const { stream, channels } = opened(t, { onLost: lost.resolve, retry: { firstMs: 60_000 } });
  await until(() => stream.pings > 0);
  stream.statuses.set('ping', 500);
  const { pings } = stream;
  await until(() => stream.pings > pings);
  const heardMs = channels.heardMs;
  const { reason } = await lost.promise;
  assert.match(reason.message, /internal error/);
  assert.ok(stream.pings - pings >= 3, `${stream.pings - pings} refusals`);
  assert.notEqual(heardMs, null);
  assert.equal(channels.heardMs, null);
});

it('CID-1: a batch goes over HTTP once the connection has been silent past its time limit', async (t) => {
  const stream = new FakeStream();
  const posted: string[] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    if (!String(url).endsWith('/v1/batch')) return Response.json({ venue: 'a' });
    posted.push(String(init?.body));
    return Response.json({ results: [{ type: 'cancel-all', ok: true, pulled: 1 }] });
  };
  const client = new VenueClient({ url: 'http://127.0.0.1:1', webSocket: stream.WebSocket, fetch });
  const privateKey = randomPrivateKey();
  const { address } = walletFromPrivateKey(privateKey);
  const session = { account: address, sessionKey: address, privateKey, expiresAtMs: 2e12 };
  client.auth.useSession(session as Session);
  const live = Promise.withResolvers<void>();
  const channels = openChannels(client, { onLive: live.resolve });
  t.after(() => channels.close());
  channels.listen('spots', { onMessage() {} });
  await live.promise;
  stream.isMute = true;
  const batches = () => stream.sent.filter((text) => text.includes('"op":"batch"')).length;
  const options = { account: false, timeoutMs: 20 };
  const { results } = await channels.batch([{ type: 'cancel-all' }], options);
  assert.deepEqual([results[0].pulled, batches(), posted.length], [1, 1, 1]);
  assert.equal(channels.isLive, true);
  await channels.batch([{ type: 'cancel-all' }], options);
  assert.deepEqual([batches(), posted.length], [1, 2], 'while nothing has come since');
  stream.isMute = false;
  stream.say(JSON.stringify({ type: 'beat', seq: 1 }));
  stream.bodies.set('batch', { results: [{ type: 'cancel-all', ok: true, pulled: 2 }] });
  assert.equal((await channels.batch([{ type: 'cancel-all' }], { account: false })).results[0].pulled, 2);
  assert.deepEqual([batches(), posted.length], [2, 2]);
});

it('a message that cannot be read ends the connection, and not the program (STR-2)', async (t) => {
  for (const text of ['', '<html>', '{"channel":"spots",}', 'null', '1']) {
    const lost = Promise.withResolvers<{ readonly reason: Error }>();
    const live = Promise.withResolvers<void>();
    const options = { onLost: lost.resolve, onLive: live.resolve, retry: { firstMs: 60_000 } };
    const { stream } = opened(t, options);
    await live.promise;
    stream.say(text);
    assert.match((await lost.promise).reason.message, /no JSON object/);
  }
});

it('a book that ends before it is right, or comes later, keeps nobody waiting', async (t) => {
  const { channels } = opened(t, {});
  const [one, other] = [channels.book('X-1-C-1'), channels.book('X-1-C-2')];
  const waiting = [one, other].map((book) => assert.rejects(book.right(), /the book was closed/));
  one.close();
  channels.close();
  await Promise.all(waiting);
  await assert.rejects(channels.book('X-1-C-3').right(), /the book was closed/);
});

it('an ended session ends the channels of its account, and no public ones (KEY-3)', async (t) => {
  const stream = new FakeStream();
  let isOver = false;
  const fetch = async () =>
    isOver
      ? Response.json({ error: 'session expired — approve a new one' }, { status: 401 })
      : Response.json({ token: 'first', venue: 'a' });
  const client = new VenueClient({ url: 'http://127.0.0.1:1', webSocket: stream.WebSocket, fetch });
  await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  isOver = true;
  stream.statuses.set('auth', 401);
  const live = Promise.withResolvers<void>();
  const channels = openChannels(client, { onLive: live.resolve });
  t.after(() => channels.close());
  channels.listen('spots', { onMessage() {} });
  await assert.rejects(channels.messages('orders').next(), UnauthorizedError);
  await live.promise;
  const subscribed = stream.sent.filter((text) => text.includes('"op":"subscribe"'));
  assert.deepEqual(
    subscribed.map((text) => JSON.parse(text).channels),
    [['spots']],
  );
  assert.equal(stream.opened, 1);
});

/** A listener whose first snapshot has come, and what it was told of being right. */
async function followed(t: TestContext, options: ChannelsOptions = {}) {
  const live = Promise.withResolvers<void>();
  const found = opened(t, { onLive: live.resolve, ...options });
  const told: boolean[] = [];
  found.channels.listen('trades:X', { onMessage() {}, onRight: (isRight) => told.push(isRight) });
  await live.promise;
  const { stream } = found;
  const of = (channel: string, seq: number) =>
    stream.say(JSON.stringify({ channel, type: 'snapshot', seq, spots: [], trades: [] }));
  const beat = (members: object) => stream.say(JSON.stringify({ type: 'beat', seq: 9, ...members }));
  const subscribed = () => stream.sent.filter((text) => text.includes('"op":"subscribe"')).length;
  of('spots', 5);
  of('trades:X', 6);
  await until(() => told.length > 0);
  return { ...found, told, of, beat, subscribed };
}

describe('a channel that misses messages (STR-5)', () => {
  it('is found by a beat, is not right, and is alone subscribed to again', async (t) => {
    const { stream, told, of, beat, subscribed } = await followed(t, { pingMs: 60_000 });
    const before = subscribed();
    beat({ sent: { spots: 5, 'trades:X': 6 } });
    beat({});
    assert.deepEqual([told, subscribed()], [[true], before]);
    beat({ sent: { spots: 5, 'trades:X': 8 } });
    assert.deepEqual(told, [true, false]);
    await until(() => subscribed() > before);
    assert.deepEqual(JSON.parse(stream.sent.at(-1)!).channels, [{ channel: 'trades:X', seq: 6 }]);
    of('trades:X', 8);
    beat({ sent: { 'trades:X': 8 } });
    assert.deepEqual([told, subscribed()], [[true, false, true], before + 1]);
    assert.equal(stream.opened, 1);
  });

  it('is not one that waits for the answer to its subscription, which a beat before it is not about', async (t) => {
    const { stream, channels, beat, subscribed } = await followed(t, { pingMs: 60_000 });
    channels.listen('settlements', { onMessage() {} });
    await Promise.resolve();
    assert.match(stream.sent.at(-1)!, /settlements/);
    const before = subscribed();
    beat({ sent: { settlements: 4 } });
    await sleep(5);
    assert.equal(subscribed(), before);
    // Its answer is there, and its snapshot, which the next beat names, is not.
    beat({ sent: { settlements: 4 } });
    await until(() => subscribed() > before);
  });

  it('is tried on another connection once, and then on the one that there is', async (t) => {
    const lost: string[] = [];
    const onLost = ({ reason }: { readonly reason: Error }) => lost.push(reason.message);
    const retry = { firstMs: 1, limitMs: 1 };
    const { stream, beat, subscribed } = await followed(t, { pingMs: 60_000, onLost, retry });
    for (let beats = 1; beats <= 5; beats++) {
      const before = subscribed();
      beat({ sent: { 'trades:X': 6 + beats } });
      await until(() => subscribed() > before);
      await sleep(5);
    }
    assert.equal(stream.opened, 2);
    assert.match(lost[0]!, /messages of trades:X do not arrive/);
    assert.equal(lost.length, 1);
  });

  it('is looked for on a line whose beats do not arrive, too', async (t) => {
    const lost = Promise.withResolvers<{ readonly reason: Error }>();
    const nowMs = performance.now();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const found = opened(t, { onLost: lost.resolve, pingMs: 60_000, retry: { firstMs: 600_000 } });
    await new Promise((resolve) => setImmediate(resolve));
    await until(() => found.channels.isLive);
    t.mock.method(performance, 'now', () => nowMs + 13_000);
    t.mock.timers.tick(13_000);
    assert.match((await lost.promise).reason.message, /its beats do not arrive/);
  });
});

describe('a channel that has ended (STR-5)', () => {
  it('refuses its listeners and books with the reason, ends its iterators, and is asked for no more', async (t) => {
    const { stream, channels } = await followed(t, { pingMs: 60_000 });
    const reasons: Error[] = [];
    const name = 'book:X-1-C-1';
    channels.listen(name, { onMessage() {}, onRefused: (reason) => reasons.push(reason) });
    const book = channels.book('X-1-C-1');
    const messages = channels.messages(name);
    const first = messages.next();
    await until(() => stream.sent.at(-1)!.includes(name));
    await sleep(5);
    stream.say(JSON.stringify({ channel: name, type: 'snapshot', seq: 5, bids: [[1, 2]], asks: [] }));
    assert.equal(book.isRight, true);
    stream.say(JSON.stringify({ channel: name, type: 'end', seq: 7, reason: 'settled' }));
    assert.deepEqual([book.isRight, book.bids.length], [false, 1]);
    for (const error of [book.error, ...reasons]) {
      assert.ok(error instanceof ChannelEndedError);
      assert.deepEqual([error.reason, error.code], ['settled', 'channel-ended']);
    }
    assert.equal(reasons.length, 1);
    assert.equal((await first).value?.type, 'snapshot');
    assert.equal((await messages.next()).done, true);
    const { length } = stream.sent;
    stream.say(JSON.stringify({ type: 'beat', seq: 8, ended: [name] }));
    await sleep(5);
    assert.equal(stream.sent.length, length);
  });

  it('is asked for where only its end is missing', async (t) => {
    const { stream, beat, told, subscribed } = await followed(t, { pingMs: 60_000 });
    const before = subscribed();
    beat({ ended: ['trades:X'] });
    assert.deepEqual(told, [true, false]);
    await until(() => subscribed() > before);
    assert.ok(stream.sent.at(-1)!.includes('trades:X'));
  });
});

it('STR-5: names that the venue refuses are refused alone, in the answer that subscribes to the others', async (t) => {
  const refused = [{ channel: 'nonsense', status: 400, code: 'unknown-channel', error: 'unknown channel' }];
  const { stream, channels } = opened(t, { pingMs: 60_000 });
  stream.bodies.set('subscribe', { channels: 1, refused });
  const reason = Promise.withResolvers<Error>();
  channels.listen('nonsense', { onMessage() {}, onRefused: reason.resolve });
  const error = await reason.promise;
  assert.ok(error instanceof RefusedError);
  assert.equal(error.code, 'unknown-channel');
  await until(() => channels.isLive);
  assert.deepEqual(
    stream.sent.map((text) => JSON.parse(text).channels),
    [['spots', 'nonsense']],
  );
});

it('a fault of code ends the channels with that error, instead of being retried', async () => {
  let made = 0;
  const webSocket = class {
    constructor() {
      made += 1;
      throw new TypeError('Promise.withResolvers is not a function');
    }
  };
  const venue = new VenueClient({ url: 'http://127.0.0.1:1', webSocket: webSocket as never });
  const losses: [string, number][] = [];
  const onLost: ChannelsOptions['onLost'] = ({ reason, retryInMs }) =>
    losses.push([reason.message, retryInMs]);
  const channels = openChannels(venue, { onLost, retry: { firstMs: 1, limitMs: 1 } });
  await assert.rejects(channels.book('BTC-1796040000-C-90000').right(), /withResolvers is not a function/);
  await sleep(50);
  assert.deepEqual([losses, made], [[['Promise.withResolvers is not a function', Infinity]], 1]);
});
