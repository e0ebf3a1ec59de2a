/** A follower beside a node, on a log in a file (FOL-1 to FOL-6). */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLogReader } from '@venue/log';
import { bookOf, ChannelClient } from '../test/channels.ts';
import {
  FEED_TOKEN,
  type Json,
  MAKER_TOKEN,
  OPERATOR_TOKEN,
  type Reply,
  Stream,
  signIn,
  type Trader,
  Venue,
  waitFor,
} from '../test/support.ts';
import { loadConfig, loadFollowerConfig } from './config.ts';
import { type Exchange, startExchange, startFollower } from './node.ts';

const REFUSAL = { error: 'a follower only reads — send this to http://nodes.example' };

describe('a follower', () => {
  let folder: string;
  let node: Exchange;
  let follower: Exchange;
  let venue: Venue;
  let followed: Venue;
  let trader: Trader;
  let seriesId: string;
  const shared = () => ({
    VENUE_LOG: `sqlite:${join(folder, 'venue.db')}`,
    VENUE_PORT: '0',
    VENUE_LOG_LEVEL: 'silent',
    VENUE_TOKEN_SECRET: 'one secret of nodes and followers',
    VENUE_SIMULATED_PAST: '1',
  });
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'venue-follower-'));
    node = await startExchange(
      loadConfig({
        ...shared(),
        VENUE_SYMBOLS: 'BTC:crypto',
        VENUE_FEED_TOKEN: FEED_TOKEN,
        VENUE_MAKER_TOKEN: MAKER_TOKEN,
        VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
        VENUE_MAINTENANCE_MS: '500',
      }),
    );
    venue = new Venue(node.url);
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    ({ seriesId } = await venue.listed('BTC'));
    trader = await signIn(venue);
    await venue.post('/v1/margin', { enabled: true }, trader);
    follower = await startFollower(
      loadFollowerConfig({ ...shared(), VENUE_NODE_URL: 'http://nodes.example' }),
    );
    followed = new Venue(follower.url);
  });
  after(async () => {
    await follower?.stop();
    await node?.stop();
    rmSync(folder, { recursive: true });
  });

  const order = (side: string, price: number) =>
    venue.post('/v1/order', { seriesId, side, qty: 0.5, price }, trader);
  const seqOf = ({ headers }: Reply) => Number(headers.get('x-venue-seq'));
  const afterOf = (seq: number | string) => ({ headers: { 'x-venue-after': String(seq) } });
  /** The answers of follower and node that show the same entry; ticks come in between now and then. */
  const atOneEntry = (ask: (one: Venue) => Promise<Reply>): Promise<[Reply, Reply]> =>
    waitFor(async () => {
      const [here, there] = await Promise.all([ask(followed), ask(venue)]);
      return seqOf(here!) === seqOf(there!) ? [here!, there!] : undefined;
    });
  /** How many there are, but for ticks. */
  const entries = async () => {
    const reader = await openLogReader(shared().VENUE_LOG);
    const { seq } = await reader.head();
    const kinds = (await reader.readEntries(1, seq)).map(({ kind }) => kind);
    await reader.close();
    return kinds.filter((kind) => kind !== 'maintain').length;
  };

  it('answers what a node answers at the same entry, of the market, of accounts and of history (FOL-1)', async () => {
    for (const price of [3, 5, 2]) {
      await order('sell', price);
      await order('buy', price);
    }
    await order('sell', 4);
    await venue.post('/v1/order', { seriesId, side: 'buy', qty: 0.5, price: 4 }, await signIn(venue));
    const { headers } = await order('buy', 1);
    const seq = Number(headers.get('x-venue-seq'));
    const { body: chain } = await venue.get('/v1/series?symbol=BTC');
    const paths = [
      '/healthz',
      '/v1/meta',
      '/v1/series?symbol=BTC',
      `/v1/chain?symbol=BTC&expiryTs=${chain.series[0].expiryTs}`,
      `/v1/book?seriesId=${seriesId}`,
      '/v1/tape?symbol=BTC',
      '/v1/trades?symbol=BTC',
      '/v1/candles?of=spot:BTC&interval=1m',
      '/v1/candles?of=spot:BTC&interval=1d',
      `/v1/candles?of=trade:${seriesId}&interval=1m`,
      '/v1/tickers?symbol=BTC',
      '/v1/settlements?symbol=BTC',
      '/v1/me',
      '/v1/orders',
      '/v1/orders?status=closed',
      '/v1/fills',
      `/v1/statement?to=${Date.now() + 1_000}`,
      '/v1/margin',
      `/v1/auth/session?address=${trader.address}`,
    ];
    for (const path of paths) {
      const [here, there] = await atOneEntry((one) =>
        one.get(path, { token: trader.token, ...afterOf(seq) }),
      );
      assert.equal(here.status, 200, path);
      assert.deepEqual(here.body, there.body, path);
      assert.ok(seqOf(here) >= seq, path);
    }
    const shown = await followed.get(`/v1/trades?symbol=BTC`);
    assert.deepEqual(
      shown.body.trades.map(({ price, self }: Json) => [price, self]),
      [[4, undefined], ...[2, 5, 3].map((price) => [price, true])],
    );
    const candles = await followed.get(`/v1/candles?of=trade:${seriesId}&interval=1d`);
    assert.deepEqual(
      candles.body.candles.map(({ l, h, v }: Json) => [l, h, v]),
      [[4, 4, 0.5]],
    );
    const preview = { seriesId, side: 'buy', qty: 1, price: 1 };
    const [here, there] = await atOneEntry((one) => one.post('/v1/order/preview', preview, trader));
    assert.deepEqual([here.status, here.body], [200, there.body]);
  });

  it('beats by what it has itself, and never by what it is yet to read (STR-5)', async () => {
    const channel = `book:${seriesId}`;
    const client = await new ChannelClient(followed).opened();
    await client.subscribe(channel);
    const { seq } = await client.snapshot(channel);
    const beat = await waitFor(async () => client.beats[0]);
    const written = seqOf(await followed.get('/v1/meta'));
    assert.deepEqual(beat.sent, { [channel]: client.seq(channel) });
    assert.ok(seq <= beat.seq && beat.seq <= written, `${seq} ${beat.seq} ${written}`);
    client.socket.terminate();
  });

  it('pushes what a node pushes, on both streams, with the numbers of the same entries (FOL-1, STR-2)', async (t) => {
    const channel = `book:${seriesId}`;
    const clients = await Promise.all(
      [venue, followed].map(async (one) => {
        const client = await new ChannelClient(one).opened();
        t.after(() => client.socket.terminate());
        await client.ask({ op: 'auth', token: trader.token });
        await client.subscribe(channel, 'trades:BTC', 'fills');
        await client.snapshot(channel);
        return client;
      }),
    );
    await order('sell', 7);
    await order('buy', 7);
    const last = await order('buy', 1.5);
    const [there, here] = await Promise.all(
      clients.map(async (client) => {
        await client.message(channel, ({ seq }) => seq >= seqOf(last));
        // Each channel comes in a message of its own; fills and trades can come after the book.
        const told = (one: string, field: string) =>
          waitFor(async () => {
            const news = client
              .of(one)
              .flatMap((message) => (message.type === 'delta' ? message[field] : []));
            return news.length > 0 ? news : undefined;
          });
        const [fills, trades] = [await told('fills', 'fills'), await told('trades:BTC', 'trades')];
        return { fills, trades, book: bookOf(client.of(channel)) };
      }),
    );
    assert.deepEqual(here, there);
    assert.equal(here!.fills.length, 2);
    // A tick carries the number of the entry that it comes after, and the clock may have written one since the order.
    const written = seqOf(await venue.get('/v1/meta'));
    for (const client of clients) assert.ok(client.seq(channel)! <= written);
    const { body } = await venue.get(`/v1/book?seriesId=${seriesId}`);
    assert.deepEqual([here!.book.bids, here!.book.asks], [body.bids, body.asks]);
    const stream = await new Stream(followed).opened();
    t.after(() => stream.socket.terminate());
    await order('sell', 8);
    await order('buy', 8);
    const { print } = await stream.frame(({ type }) => type === 'tape');
    assert.equal(print.price, 8);
  });

  it('refuses all that appends with one text, and appends nothing (FOL-1)', async (t) => {
    const before = await entries();
    const writes: [string, unknown, Record<string, string>?][] = [
      ['/v1/order', { seriesId, side: 'buy', qty: 1, price: 1 }],
      ['/v1/order', 'no body of an order'],
      ['/v1/batch', { actions: [] }],
      ['/v1/cancel', {}],
      ['/v1/order/cancel', { orderId: 1 }],
      ['/v1/margin', { enabled: false }],
      ['/v1/auth/verify', { address: trader.address, signature: '0x' }],
      ['/v1/auth/session', {}],
      ['/v1/quotes', { quotes: [] }],
      ['/v1/quote-sets/1', { quotes: [] }],
      ['/v1/maker/session', {}, { 'x-maker-token': MAKER_TOKEN }],
      ['/v1/maker/quotes', { quotes: [] }, { 'x-maker-token': MAKER_TOKEN }],
      ['/v1/feed/prints', { prints: [] }, { 'x-feed-token': FEED_TOKEN }],
      ['/v1/operator/clock', {}, { 'x-operator-token': OPERATOR_TOKEN }],
      ['/v1/operator/settle', {}, { 'x-operator-token': OPERATOR_TOKEN }],
    ];
    for (const [path, body, headers = {}] of writes) {
      const reply = await followed.post(path, body as object, { token: trader.token, headers });
      if (reply.status === 404) assert.equal((await venue.post(path, body as object)).status, 404, path);
      else assert.deepEqual([reply.status, reply.body], [400, REFUSAL], path);
    }
    for (const path of [
      `/v1/auth/challenge?address=${trader.address}`,
      '/v1/operator/audit',
      '/v1/operator/exposure',
    ]) {
      const reply = await followed.get(path, { headers: { 'x-operator-token': OPERATOR_TOKEN } });
      assert.deepEqual([reply.status, reply.body], [400, REFUSAL], path);
    }
    const client = await new ChannelClient(followed).opened();
    t.after(() => client.socket.terminate());
    await client.ask({ op: 'auth', token: trader.token });
    const told = await client.ask({ op: 'batch', actions: [{ type: 'cancel-all' }] });
    assert.deepEqual([told.status, told.body], [400, REFUSAL]);
    assert.equal(await entries(), before);
  });

  it('waits for the entry that a request comes after, as a node does (FOL-5)', async () => {
    const { headers } = await order('buy', 0.5);
    const written = Number(headers.get('x-venue-seq'));
    for (const one of [venue, followed]) {
      for (const seq of [0, 1, written]) {
        const reply = await one.get(`/v1/book?seriesId=${seriesId}`, afterOf(seq));
        assert.equal(reply.status, 200);
        assert.ok(seqOf(reply) >= seq);
      }
      const next = seqOf(await venue.get('/v1/meta')) + 3;
      const soon = one.get('/v1/meta', afterOf(next));
      for (let i = 0; i < 3; i += 1) await order('buy', 0.25);
      const reply = await soon;
      assert.ok(seqOf(reply) >= next, `${reply.status} ${seqOf(reply)} ${next}`);
    }
  });

  it('takes nothing but the number of an entry for one, and a write that names none changes nothing (FOL-5)', async () => {
    const at = await entries();
    const wrong = ['', '-1', '1.5', '1e3', '0x10', 'latest', '1, 2', '9'.repeat(16), ' '];
    for (const text of wrong)
      for (const one of [venue, followed]) {
        const reply = await one.get('/v1/meta', afterOf(text));
        assert.deepEqual(
          [reply.status, reply.body.error],
          [400, 'x-venue-after must be the number of a log entry'],
          text,
        );
      }
    const write = { seriesId, side: 'buy', qty: 1, price: 1 };
    const reply = await venue.post('/v1/order', write, { token: trader.token, ...afterOf('x') });
    assert.equal(reply.status, 400);
    assert.equal(await entries(), at);
    const preflight = await fetch(`${follower.url}/v1/meta`, { method: 'OPTIONS' });
    assert.match(preflight.headers.get('access-control-allow-headers')!, /\bx-venue-after\b/);
  });

  it('shows how far it is behind among its metrics, and has none of a node that writes (FOL-6)', async () => {
    const metrics = await (await fetch(`${follower.url}/metrics`)).text();
    assert.match(metrics, /^venue_log_lag_entries 0$/m);
    const [, age] = /^venue_log_contact_age_seconds (\S+)$/m.exec(metrics)!;
    assert.ok(Number(age) < 5, `${age}`);
    assert.match(metrics, /venue_build_info\{process="follower"/);
    assert.doesNotMatch(metrics, /venue_snapshot_position|venue_commands_pending/);
    assert.equal((await fetch(`${follower.url}/readyz`)).status, 200);
    assert.equal((await fetch(`${follower.url}/livez`)).status, 200);
  });

  it('knows no token without the secret of the nodes (FOL-1)', async () => {
    const { VENUE_TOKEN_SECRET: _, ...without } = shared();
    const stranger = await startFollower(loadFollowerConfig({ ...without, VENUE_HISTORY: 'off' }));
    const { status } = await new Venue(stranger.url).get('/v1/me', { token: trader.token });
    await stranger.stop();
    assert.equal(status, 401);
  });
});
