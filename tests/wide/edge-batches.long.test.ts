/** Batches, cancels and lookups at the edge: a real nginx in front of a real exchange, or of nodes that fail. */

// @seconds 6

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  type Json,
  type LocalVenue,
  type OpenSession,
  openSession,
  pricedVenue,
} from '../../packages/exchange/test/support.ts';
import { BAD_FIELDS } from '../../packages/protocol/test/bad-actions.ts';
import { RateLimitedError } from '../../packages/sdk/src/net/errors.ts';
import { Limiter } from '../../packages/sdk/src/net/limiter.ts';
import { skipBecause } from '../faults/machine.ts';
import { type Asking, Edge, whyNoEdge } from './edge-server.ts';

const SKIP = skipBecause(whyNoEdge());
const POST = { method: 'POST', body: '{}' } as const;
const TOO_MANY = { error: 'too many requests — retry' };

describe('a trader at the edge', { skip: SKIP }, () => {
  let venue: LocalVenue;
  let edge: Edge;
  let venueId: string;
  let limits: Record<string, number>;
  let seriesId: string;
  let alice: OpenSession;
  before(async () => {
    venue = await pricedVenue();
    edge = await Edge.start({ upstreamPort: Number(new URL(venue.url).port) });
    ({ venue: venueId, limits } = JSON.parse((await edge.ask('/v1/venue')).body));
    ({ seriesId } = await venue.listed('BTC'));
    alice = await openSession(venue);
  });
  after(async () => {
    await edge?.stop();
    await venue?.exchange.stop();
  });

  const post = async (from: string, path: string, body: object): Promise<{ status: number; body: Json }> => {
    const answer = await edge.ask(path, { method: 'POST', from, body: JSON.stringify(body) });
    return { status: answer.status, body: JSON.parse(answer.body) };
  };
  const batch = async (from: string, actions: readonly object[]) =>
    post(from, '/v1/batch', await alice.batch(venueId, actions));
  const openOrders = async () => (await venue.get('/v1/me', alice)).body.openOrders.map(({ id }: Json) => id);
  /** Orders of the account, by a request that the edge does not count. */
  const placed = async (count: number): Promise<number[]> => {
    const place = { type: 'place', seriesId, side: 'buy', qty: 0.001, price: 900 };
    const actions = Array.from({ length: count }, () => place);
    const { body } = await venue.post('/v1/batch', await alice.batch(venueId, actions));
    return body.results.map(({ orderId }: Json) => orderId);
  };

  /** Uses up a limit, and proves it. */
  const useUp = async (path: string, limit: number, asking: Asking) => {
    await edge.flood(limit + 1, path, asking);
    // Some of the limit came back while the requests were on their way.
    const counts = await edge.flood(limit, path, asking);
    assert.ok((counts[429] ?? 0) > 0, JSON.stringify(counts));
  };

  const cancelsEveryWay = async (from: string) => {
    const [byRoute] = await placed(2);
    const one = await post(from, '/v1/order/cancel', await alice.cancelOrder(byRoute!));
    assert.deepEqual([one.status, one.body.ok], [200, true]);
    const all = await post(from, '/v1/cancel', await alice.cancel(['BTC']));
    assert.deepEqual([all.status, all.body.pulled], [200, 1]);
  };

  test('HTTP-10: a trader who has used up the orders still cancels, by each route and in a batch', async () => {
    const from = '127.0.5.1';
    await useUp('/v1/order', limits.ordersPerMinute!, { ...POST, from });
    await cancelsEveryWay(from);
    const [inBatch] = await placed(2);
    const { status, body } = await batch(from, [
      { type: 'cancel', orderId: inBatch },
      { type: 'cancel-all', symbols: ['BTC'] },
    ]);
    assert.equal(status, 200);
    assert.deepEqual(body.results, [
      { type: 'cancel', ok: true, orderId: inBatch },
      { type: 'cancel-all', ok: true, pulled: 1 },
    ]);
    assert.deepEqual(await openOrders(), []);
  });

  test('HTTP-10: a trader who has used up batches, orders and reads still cancels', async () => {
    const from = '127.0.5.2';
    await useUp('/v1/batch', limits.batchesPerMinute!, { ...POST, from });
    await useUp('/v1/order', limits.ordersPerMinute!, { ...POST, from });
    await useUp('/v1/orders', limits.requestsPerMinute!, { from });
    await cancelsEveryWay(from);
    assert.deepEqual(await openOrders(), []);
  });

  test('HTTP-10: reads and batches do not use each other up', async () => {
    for (const path of ['/v1/orders', '/v1/orders/1', '/v1/orders/client/a', '/v1/venue']) {
      const from = `127.0.6.${path.length}`;
      await useUp(path, limits.requestsPerMinute!, { from });
      assert.equal((await batch(from, [{ type: 'guard', ms: 0 }])).status, 200, path);
    }
    const from = '127.0.5.3';
    await useUp('/v1/batch', limits.batchesPerMinute!, { ...POST, from });
    assert.equal((await edge.ask('/v1/venue', { from })).status, 200);
    assert.equal((await edge.ask('/v1/order', { ...POST, from })).status, 400);
  });

  test('VEN-2: of real batches as many pass as the venue says, and one too many spends no nonce', async () => {
    const from = '127.0.5.4';
    const beganMs = performance.now();
    const bodies = await Promise.all(
      Array.from({ length: 450 }, () => alice.batch(venueId, [{ type: 'guard', ms: 0 }])),
    );
    const answers = await Promise.all(
      bodies.map((body) => edge.ask('/v1/batch', { method: 'POST', from, body: JSON.stringify(body) })),
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    const most = limits.batchesPerMinute! + Math.ceil((performance.now() - beganMs) / 200);
    assert.ok(passed >= limits.batchesPerMinute! && passed <= most, `${passed}, at most ${most}`);
    const refused = answers.findIndex(({ status }) => status === 429);
    assert.deepEqual(JSON.parse(answers[refused]!.body), TOO_MANY);
    assert.equal(answers[refused]!.headers['retry-after'], '1');
    assert.equal((await post('127.0.5.5', '/v1/batch', bodies[refused]!)).status, 200);
  });

  test('QTS-1: signed pushes pass as they were sent, as many as the venue says, beside batches and reads', async () => {
    const from = '127.0.5.6';
    const protection = { symbol: 'BTC', windowMs: 1_000, qty: 10, frozenMs: 0 };
    await venue.post('/v1/batch', await alice.batch(venueId, [{ type: 'protect', set: 1, ...protection }]));
    const body = JSON.stringify({ quotes: [{ seriesId, bids: [[900, 1]], asks: null }] });
    const push = async () => {
      const headers = await alice.pushHeaders({ venueId, set: 1, body });
      const answer = await edge.ask('/v1/quote-sets/1', { method: 'POST', from, body, headers });
      return { status: answer.status, body: JSON.parse(answer.body) };
    };
    assert.deepEqual(await push(), { status: 200, body: { applied: 1, kept: 0, errors: 0, rowErrors: [] } });
    await useUp('/v1/quote-sets/2', limits.pushesPerMinute!, { ...POST, from });
    // Together: one push is allowed again every tenth of a second.
    const late = await Promise.all(Array.from({ length: 40 }, push));
    const refused = late.find(({ status }) => status === 429);
    assert.deepEqual(refused, { status: 429, body: TOO_MANY });
    assert.equal((await edge.ask('/v1/venue', { from })).status, 200);
    assert.equal((await batch(from, [{ type: 'cancel-all' }])).body.results[0].pulled, 1);
  });

  for (const [i, path] of [
    '/v1/order',
    '/v1/cancel',
    '/v1/batch',
    '/v1/quote-sets/1',
    '/v1/orders',
    '/v1/auth/session',
  ].entries()) {
    test(`what the limiter of the SDK lets through to ${path} is never refused`, async () => {
      const count = await admittedBySdk(path);
      assert.ok(count >= 9, String(count));
      const asking = path === '/v1/orders' ? {} : POST;
      const counts = await edge.flood(count, path, { ...asking, from: `127.0.7.${i + 1}` });
      assert.equal(counts[429], undefined, JSON.stringify(counts));
    });
  }
});

describe('bad batches at the edge', { skip: SKIP }, () => {
  let venue: LocalVenue;
  let edge: Edge;
  let venueId: string;
  let alice: OpenSession;
  before(async () => {
    venue = await pricedVenue();
    edge = await Edge.start({ upstreamPort: Number(new URL(venue.url).port) });
    venueId = (await venue.get('/v1/venue')).body.venue;
    alice = await openSession(venue);
  });
  after(async () => {
    await edge?.stop();
    await venue?.exchange.stop();
  });

  let sent = 0;
  /** Each 200 from an address of their own, within what the edge takes from one. */
  const post = async (body: object) => {
    const from = `127.0.8.${1 + Math.floor(sent++ / 200)}`;
    const answer = await edge.ask('/v1/batch', { method: 'POST', from, body: JSON.stringify(body) });
    return { ...answer, body: JSON.parse(answer.body) };
  };

  test('BAT-1 DET-1: are refused as the service refuses them, and change nothing', async () => {
    const before = (await venue.get('/v1/me', alice)).body;
    const guard = { type: 'guard', ms: 60_000 };
    const sound = await alice.batch(venueId, [{ type: 'guard', ms: 0 }]);
    for (const { good, field, values } of BAD_FIELDS)
      for (const value of values) {
        const actions = [guard, { ...good, [field]: value }];
        const { status, body, headers } = await post({ ...sound, actions });
        const shown = JSON.stringify(actions);
        assert.deepEqual([status, body], [400, { error: `actions[1].${field} malformed` }], shown);
        assert.equal(headers['access-control-allow-origin'], '*', shown);
      }
    const tooMany = await post({ ...sound, actions: new Array(65).fill(null) });
    assert.deepEqual([tooMany.status, tooMany.body], [400, { error: 'too many actions' }]);
    const widened = await post({ ...sound, actions: [guard] });
    assert.deepEqual([widened.status, widened.body], [401, { error: 'bad signature' }]);
    assert.equal((await post(sound)).status, 200);
    assert.equal((await post(sound)).status, 401);
    assert.deepEqual((await venue.get('/v1/me', alice)).body, before);
  });

  test('BAT-2: the longest batch that is well-formed passes', async () => {
    // All of them name no more series together than one may (BAT-7).
    const actions = Array.from({ length: 64 }, (_, i) => ({
      type: 'cancel-all',
      seriesIds: [String(i).padEnd(64, '~')],
      side: 'sell',
    }));
    const { status, body } = await post(await alice.batch(venueId, actions));
    assert.equal(status, 200);
    assert.equal(body.results.length, 64);
  });
});

describe('nodes behind the edge', { skip: SKIP }, () => {
  /** Two nodes, one of which drops every request, and the paths that reached each. */
  const nodes = async () => {
    const dropped: string[] = [];
    const answered: string[] = [];
    const failing = await listening((request) => {
      dropped.push(request.url!);
      request.socket.destroy();
    });
    const sound = await listening((request, response) => {
      answered.push(request.url!);
      response.setHeader('cache-control', 'public, max-age=60').end('{}');
    });
    const edge = await Edge.start({ upstreamPort: portOf(failing), otherPorts: [portOf(sound)] });
    const stop = async () => {
      await edge.stop();
      for (const server of [failing, sound]) {
        server.close();
        server.closeAllConnections();
      }
    };
    return { edge, dropped, answered, stop };
  };

  test('BAT-2: a batch goes to one node alone, even if that drops it; a lookup goes on to the next', async () => {
    const { edge, dropped, answered, stop } = await nodes();
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i++) statuses.push((await edge.ask('/v1/batch', POST)).status);
      assert.deepEqual([...statuses].sort(), [200, 200, 502, 502]);
      assert.deepEqual([dropped.length, answered.length], [2, 2]);
      for (let i = 0; i < 4; i++) assert.equal((await edge.ask('/v1/orders/client/a')).status, 200);
      assert.equal(answered.length, 2 + 4);
    } finally {
      await stop();
    }
  });

  test('CID-2: nginx keeps no lookup, whatever a node says', async () => {
    const { edge, answered, stop } = await nodes();
    try {
      for (const path of ['/v1/orders?status=open', '/v1/orders/7', '/v1/orders/client/a', '/v1/venue'])
        for (let i = 0; i < 3; i++) assert.equal((await edge.ask(path)).status, 200, path);
      assert.equal(answered.length, 4 * 3);
    } finally {
      await stop();
    }
  });
});

/** How many requests to a path the SDK sends at once, urgent ones included. */
async function admittedBySdk(path: string): Promise<number> {
  const limiter = new Limiter(() => 0);
  let count = 0;
  for (const isUrgent of [false, true]) {
    let refusal: unknown = null;
    while (refusal === null) {
      refusal = (await limiter.admit(path, { limitMs: 0, isUrgent }).catch((error) => error)) ?? null;
      if (refusal === null) count += 1;
    }
    assert.ok(refusal instanceof RateLimitedError, String(refusal));
  }
  return count;
}

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
