// @process exchange-node
// @seconds 9

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@venue/config';
import {
  type Log,
  LogOpenError,
  MemoryStore,
  openMemoryLog,
  openSqliteLog,
  StampConflictError,
} from '@venue/log';
import { freePort } from '../../log/test/free-port.ts';
import {
  DEPOSITS,
  FEED_TOKEN,
  type Json,
  LocalVenue,
  MAKER_TOKEN,
  type OpenSession,
  openSession,
  pricedVenue,
  Stream,
  signIn,
  startVenue,
  type Venue,
  waitFor,
} from '../test/support.ts';
import { loadConfig } from './config.ts';
import { startExchange } from './node.ts';
import { createLogger } from './observe/logger.ts';

describe('a node on SQLite', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-node-'));
  });
  after(() => rm(folder, { recursive: true }));

  const start = async (path: string, env: Environment = {}): Promise<LocalVenue> => {
    const config = loadConfig({
      VENUE_PORT: '0',
      VENUE_LOG: `sqlite:${path}`,
      VENUE_FEED_TOKEN: FEED_TOKEN,
      VENUE_MAKER_TOKEN: MAKER_TOKEN,
      VENUE_MAINTENANCE_MS: '100',
      VENUE_LOG_LEVEL: 'silent',
      ...env,
    });
    return new LocalVenue(await startExchange(config));
  };

  it('keeps everything it acknowledged across a restart, and forgets tokens, challenges and the tape', async () => {
    const path = join(folder, 'restart.db');
    const first = await start(path);
    await first.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    const { seriesId, sid } = await first.listed('BTC');
    await first.quote({ rows: [[sid, [[1000, 5]], [[1010, 5]], 0.5, 0.4]] });
    const alice = await openSession(first);
    const spent = await alice.order({ seriesId, side: 'buy', qty: 2, price: 1010 });
    await first.post('/v1/order', spent);
    await first.post('/v1/order', await alice.order({ seriesId, side: 'buy', qty: 1, price: 900 }));
    const reads = async (venue: Venue, token: string) =>
      Promise.all(
        [
          '/v1/me',
          '/v1/fills',
          `/v1/book?seriesId=${seriesId}`,
          '/v1/series?symbol=BTC',
          `/v1/auth/session?address=${alice.account}`,
        ].map(async (read) => (await venue.get(read, { token })).body),
      );
    const before = await reads(first, alice.token);
    await first.exchange.stop();

    const second = await start(path);
    assert.equal((await second.get('/v1/me', { token: alice.token })).status, 401);
    const replayed = await second.post('/v1/order', spent);
    assert.deepEqual([replayed.status, replayed.body.error], [401, 'nonce already used']);
    assert.deepEqual((await second.get('/v1/tape?symbol=BTC')).body.fills, []);
    const { body } = await second.post(
      '/v1/order',
      await alice.order({ seriesId, side: 'buy', qty: 1000, price: 2000 }),
    );
    assert.equal(body.status, 'rejected');
    const token = await tokenOf(second, alice);
    assert.deepEqual(await reads(second, token), before);
    await second.exchange.stop();
  });

  it('refuses a second process, another mode and another margin premium on one log (MODE-1, FINE-4)', async () => {
    const path = join(folder, 'stamp.db');
    const running = await start(path);
    await assert.rejects(start(path), LogOpenError);
    await running.exchange.stop();
    await assert.rejects(start(path, { VENUE_MARGIN_PREMIUM: 'intrinsic' }), StampConflictError);
    const secrets = Object.fromEntries(
      ['OPERATOR_TOKEN', 'MAKER_TOKEN', 'FEED_TOKEN', 'SETTLE_TOKEN_1', 'SETTLE_TOKEN_2'].map((name) => [
        `VENUE_${name}`,
        name.padEnd(32, '-'),
      ]),
    );
    await assert.rejects(start(path, { ...secrets, VENUE_FUNDING_MODE: 'deposits' }), StampConflictError);
    const again = await start(path);
    await again.exchange.stop();
  });

  it('leaves nothing open after a failed start', async () => {
    const path = join(folder, 'port.db');
    const first = await start(path);
    const { port } = new URL(first.url);
    await assert.rejects(start(join(folder, 'other.db'), { VENUE_PORT: port }), { code: 'EADDRINUSE' });
    const log = await openSqliteLog({ path: join(folder, 'other.db') });
    assert.equal((await log.head()).seq, 0, 'who cannot listen writes nothing');
    await log.close();
    await first.exchange.stop();
  });
});

describe('a node', () => {
  it('appends the configuration only if the environment differs from the log (FINE-4)', async () => {
    const store = new MemoryStore();
    const configurations = () => store.entries.filter(({ kind }) => kind === 'configure').length;
    const restart = async (env: Environment) => (await startVenue(env, { store })).exchange.stop();
    await restart({});
    await restart({});
    assert.equal(configurations(), 1);
    await restart({ VENUE_PAPER_CASH: '5000' });
    assert.equal(configurations(), 2);
    const venue = await startVenue({ VENUE_PAPER_CASH: '5000' }, { store });
    assert.equal((await signIn(venue)).account.cash, 5_000);
    await venue.exchange.stop();
  });

  it('says which parameters it changes for the whole venue, and which of them any node changes (FINE-4)', async (t) => {
    const store = new MemoryStore();
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => lines.push(line) });
    const logged = (text: RegExp) => {
      const found = lines.filter((line) => text.test(line)).map((line) => JSON.parse(line).changed);
      lines.length = 0;
      return found;
    };
    const [WARNED, APPLIED] = [/"level":40.*has other parameters/, /"level":30.*were put in force/];
    const restart = async (env: Environment) => (await startVenue(env, { store, logger })).exchange.stop();
    await restart({});
    assert.deepEqual(logged(WARNED), [], 'the first ones are no change');
    await restart({ VENUE_PAPER_CASH: '5000', VENUE_SYMBOLS: 'BTC:crypto' });
    assert.deepEqual(logged(WARNED), [['symbols', 'paperCashMicros']]);
    await restart({ VENUE_PAPER_CASH: '5000', VENUE_SYMBOLS: 'BTC:crypto' });
    assert.deepEqual(logged(/parameters/), [], 'a replay says nothing');

    const venue = await startVenue({ VENUE_PAPER_CASH: '7000' }, { store, logger });
    t.after(() => venue.exchange.stop());
    assert.deepEqual(logged(APPLIED), [['symbols', 'paperCashMicros']]);
  });

  it('refuses to skip an entry the log does not have, which it would acknowledge and forget', async () => {
    const store = new MemoryStore();
    await (await startVenue({}, { store })).exchange.stop();
    const { length } = store.entries;
    const message = `VENUE_SKIP_SEQ names entry ${length + 1}, and the log ends with entry ${length}; it may only name an entry that stopped a start`;
    const started = startVenue({ VENUE_SKIP_SEQ: String(length + 1) }, { store });
    const stopped = started.then(({ exchange }) => exchange.stop());
    await assert.rejects(stopped, { name: 'ConfigError', message });
    assert.equal(store.entries.length, length);
  });

  it('knows the coming expiries before it answers, so that the oracle misses no print (ORA-1)', async () => {
    const store = new MemoryStore();
    const venue = await startVenue({ VENUE_MAINTENANCE_MS: '3600000' }, { store });
    assert.deepEqual(
      store.entries.map(({ kind }) => kind),
      ['configure', 'maintain'],
    );
    await venue.exchange.stop();
  });

  it('lets requests wait until the first maintenance tick is done', async () => {
    const store = new MemoryStore();
    const log = await openMemoryLog({ store });
    const held = holdAppends(log);
    const port = await freePort();
    const starting = startVenue({ VENUE_PORT: String(port) }, { log, store });
    await waitFor(async () => held.count('configure') === 1 || undefined);
    const early = fetch(`http://127.0.0.1:${port}/healthz`);
    assert.equal(await Promise.race([early, sleep(100, 'waiting')]), 'waiting');
    const probe = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return [answer.status, await answer.json()];
    };
    assert.deepEqual(await probe('/livez'), [200, { ok: true }]);
    assert.deepEqual(await probe('/readyz'), [503, { error: 'not ready: starting' }]);
    held.release();
    assert.equal((await early).status, 200);
    await (await starting).exchange.stop();
  });

  it('does not start if the first maintenance tick fails, and hangs up on waiting clients', async () => {
    const store = new MemoryStore();
    const log = await openMemoryLog({ store });
    const append = log.append.bind(log);
    const port = await freePort();
    let early: Promise<Response> | undefined;
    let failedAt = 0;
    log.append = async (items) => {
      if (items[0]!.kind !== 'maintain') return append(items);
      early = fetch(`http://127.0.0.1:${port}/healthz`);
      // A later request is answered, so the earlier one has arrived.
      await (await fetch(`http://127.0.0.1:${port}/livez`)).text();
      failedAt = performance.now();
      throw new Error('no maintenance today');
    };
    const starting = startVenue({ VENUE_PORT: String(port) }, { log, store, inFlightMs: 60_000 });
    await assert.rejects(starting, /no maintenance today/);
    assert.equal((await early!).status, 500);
    assert.ok(performance.now() - failedAt < 30_000, 'no client is waited for');
    await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
  });

  it('has no paper capital, no unsigned write and no paper-only route in deposits mode', async () => {
    const venue = await startVenue(DEPOSITS);
    assert.equal((await venue.get('/healthz')).body.fundingMode, 'deposits');
    const { token, account } = await signIn(venue);
    assert.equal(account.cash, 0);
    const reply = await venue.post('/v1/order', { seriesId: 'x', side: 'buy', qty: 1 }, { token });
    assert.deepEqual(
      [reply.status, reply.body.error],
      [401, 'this request must be signed — approve a trading session'],
    );
    await venue.exchange.stop();
  });

  it('answers only its health while out of touch with its log, and drops its streams', async (t) => {
    const store = new MemoryStore();
    const log = await openMemoryLog({ store });
    let lastContactMs = 0;
    const rest = { reachable: true, lagEntries: 0, clockFault: undefined, writable: true };
    log.status = () => ({ ...rest, lastContactMs });
    const venue = await startVenue({}, { log, store });
    t.after(() => venue.exchange.stop());
    const stream = await new Stream(venue).opened();
    assert.equal((await venue.get('/healthz')).body.ok, true);
    lastContactMs = 5_000;
    assert.equal((await venue.get('/healthz')).body.ok, false);
    assert.equal((await venue.get('/livez')).status, 200);
    const { status, body } = await venue.get('/readyz');
    assert.deepEqual([status, body], [503, { error: 'not ready: out of touch with the log' }]);
    for (const path of ['/v1/meta', '/v1/me']) {
      const reply = await venue.get(path);
      assert.deepEqual([reply.status, reply.body], [500, { error: 'internal error' }]);
    }
    await stream.closed;
    await assert.rejects(new Stream(venue).opened(), /500/);
    lastContactMs = 4_999;
    assert.equal((await venue.get('/v1/meta')).status, 200);
  });

  it('stops on a log that fails, and answers 500 without internal details', async () => {
    const store = new MemoryStore();
    const fatal = Promise.withResolvers<Error>();
    const quiet = { VENUE_MAINTENANCE_MS: '3600000' };
    const venue = await startVenue(quiet, { store, onFatal: fatal.resolve });
    const { token } = await signIn(venue);
    store.entries.push = () => {
      throw new Error('disk on fire');
    };
    for (const enabled of [true, false]) {
      const reply = await venue.post('/v1/margin', { enabled }, { token });
      assert.deepEqual([reply.status, reply.body], [500, { error: 'internal error' }]);
    }
    assert.match((await fatal.promise).message, /disk on fire/);
    assert.equal((await venue.get('/v1/me', { token })).body.marginEnabled, false);
    await venue.exchange.stop().catch(() => {});
  });

  it('answers requests in flight when it stops, and refuses new connections (FINE-17)', async () => {
    const store = new MemoryStore();
    const log = await openMemoryLog({ store });
    const venue = await pricedVenue({}, { log, store, inFlightMs: 60_000 });
    const { seriesId } = await venue.listed('BTC');
    const alice = await openSession(venue);
    const stream = await new Stream(venue, alice.token).opened();
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, i) => alice.order({ seriesId, side: 'buy', qty: 1, price: 1 + i })),
    );
    const held = holdAppends(log);
    const answers = orders.map((order) => venue.post('/v1/order', order));
    await waitFor(async () => held.count('order') === 20 || undefined);
    const stopped = venue.exchange.stop();
    await waitFor(async () => (await refusesConnections(venue)) || undefined);
    held.release();
    const releasedAt = performance.now();
    const replies = await Promise.all(answers);
    await stopped;
    assert.ok(performance.now() - releasedAt < 30_000, 'no connection is waited for after its answer');
    assert.equal(await stream.closed, 1001);
    for (const { status, body } of replies) assert.deepEqual([status, body.status], [200, 'rested']);
    const again = await startVenue({}, { store });
    const { openOrders } = (await again.get('/v1/me', { token: await tokenOf(again, alice) })).body;
    assert.deepEqual(
      openOrders.map(({ id }: Json) => id),
      replies.map(({ body }) => body.orderId).sort((a, b) => a - b),
    );
    await again.exchange.stop();
  });

  it('hangs up on no client about to send a request, and has each hang up after its answer (FINE-17)', async (t) => {
    const venue = await startVenue({}, { inFlightMs: 60_000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connection = async () => {
      const asked = get(`${venue.url}/healthz`, { agent });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
      return [response.headers.connection, asked.reusedSocket];
    };
    assert.deepEqual(await connection(), ['keep-alive', false]);
    // The server waits until nobody has asked for a while: until then no time passes, however busy the machine is.
    const nowMs = performance.now();
    const { mock } = t.mock.method(performance, 'now', () => nowMs);
    const stopped = venue.exchange.stop();
    await waitFor(async () => (await refusesConnections(venue)) || undefined);
    assert.deepEqual(await connection(), ['close', true]);
    mock.restore();
    await assert.rejects(connection(), /ECONNREFUSED/);
    await stopped;
  });

  it('cuts off a request that never ends, no sooner than agreed', async () => {
    const venue = await startVenue({}, { inFlightMs: 50 });
    const { port } = new URL(venue.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head =
      'POST /v1/margin HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{';
    await new Promise((resolve) => socket.write(head, resolve));
    const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => {}));
    await venue.get('/healthz');
    const startedAt = performance.now();
    await venue.exchange.stop();
    await closed;
    assert.ok(performance.now() - startedAt >= 45);
  });

  it('writes no secret into its logs', async () => {
    const lines: string[] = [];
    const logger = createLogger('debug', { write: (line) => lines.push(line) });
    const venue = await startVenue({}, { logger });
    const { token, wallet } = await signIn(venue);
    const stream = await new Stream(venue, token).opened();
    await venue.get('/v1/me', { headers: { authorization: `Bearer ${token}` } });
    const session = await openSession(venue, wallet);
    const signed = (await session.margin(true)) as Json;
    await venue.post('/v1/margin', signed);
    await venue.feed([]);
    stream.socket.close();
    await stream.closed;
    await venue.exchange.stop();
    const text = lines.join('');
    assert.ok(lines.length > 5);
    assert.match(text, /"route":"\/v1\/margin","status":200/);
    for (const secret of [token, session.token, FEED_TOKEN, signed.signature])
      assert.ok(!text.includes(secret));
  });
});

/** Holds all further appends back until they are released. */
function holdAppends(log: Log): { count(kind: string): number; release(): void } {
  const append = log.append.bind(log);
  const { promise, resolve } = Promise.withResolvers<void>();
  const kinds: string[] = [];
  log.append = async (items) => {
    kinds.push(...items.map(({ kind }) => kind));
    await promise;
    return append(items);
  };
  return { count: (kind) => kinds.filter((one) => one === kind).length, release: resolve };
}

function refusesConnections(venue: Venue): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(Number(new URL(venue.url).port), '127.0.0.1', () => resolve(false));
  socket.on('error', () => resolve(true));
  return promise.finally(() => socket.destroy());
}

/** A token for the wallet behind a session, from a new sign-in. */
async function tokenOf(venue: Venue, session: OpenSession): Promise<string> {
  return (await signIn(venue, session.wallet)).token;
}
