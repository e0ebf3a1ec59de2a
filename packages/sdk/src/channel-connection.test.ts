import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChannelsOptions,
  openChannels,
  randomPrivateKey,
  UnauthorizedError,
  VenueClient,
  walletFromPrivateKey,
} from './browser.ts';
import type { WebSocketLike } from './socket.ts';

const PING_MS = 20;

/** A venue's side of the connections of one test. */
class FakeStream {
  opened = 0;
  pings = 0;
  /** Sends a message to the newest connection. */
  say: (text: string) => void = () => {};
  /** Status of the answers by operation; 200 for those that are not named. */
  readonly statuses = new Map<string, number>();
  readonly sent: string[] = [];
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
        const status = stream.statuses.get(op) ?? 200;
        const body =
          status === 200 ? {} : { error: status === 401 ? 'missing or unknown token' : 'internal error' };
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
  const client = new VenueClient({ url: 'http://127.0.0.1:1', webSocket: stream.WebSocket });
  const channels = openChannels(client, { pingMs: PING_MS, ...options });
  t.after(() => channels.close());
  channels.listen('spots', { onMessage() {} });
  return { stream, channels };
}

const until = async (what: () => boolean) => {
  while (!what()) await sleep(1);
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
