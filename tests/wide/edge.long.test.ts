/** The rate limits of the edge, measured: a real nginx in front of a real exchange, and counted requests. */

// @seconds 30

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, loadConfig, startExchange } from '@venue/exchange';
import { openMemoryLog } from '@venue/log';
import { CORS_HEADERS } from '../../packages/exchange/src/http/cors.ts';
import type { Route } from '../../packages/exchange/src/http/route.ts';
import { routesOf } from '../../packages/exchange/src/http/routes/index.ts';
import type { Services } from '../../packages/exchange/src/http/services.ts';
import { eventually } from '../e2e/launched.ts';
import { skipBecause } from '../faults/machine.ts';
import { type Asking, DEPOSITS_ENV, Edge, type EdgeAnswer, whyNoEdge } from './edge-server.ts';

const POST = { method: 'POST', body: '{}' } as const;
const EXPOSED = 'access-control-expose-headers';

describe('limits of the edge', { skip: skipBecause(whyNoEdge()) }, () => {
  let exchange: Exchange;
  let edge: Edge;
  before(async () => {
    exchange = await startExchange(loadConfig(DEPOSITS_ENV), { log: await openMemoryLog() });
    edge = await Edge.start({ upstreamPort: Number(new URL(exchange.url).port), takesAddresses: true });
  });
  after(async () => {
    await edge?.stop();
    await exchange?.stop();
  });

  /** Asserts that of parallel requests the limit passes, plus one for each refill during the test. */
  const assertLimit = async ({ limit, refillMs, status }: Limit, path: string, asking: Asking) => {
    const beganMs = performance.now();
    const counts = await edge.flood(limit + 40, path, asking);
    const passed = counts[status] ?? 0;
    const most = limit + Math.ceil((performance.now() - beganMs) / refillMs);
    assert.ok(passed >= limit && passed <= most, `${JSON.stringify(counts)}, at most ${most}`);
    assert.equal(passed + (counts[429] ?? 0), limit + 40);
  };

  /** Once the burst is spent, the limit lets one request through for each refill since it was first used. */
  const assertUsedUp = async (beganMs: number, path: string, asking: Asking, refillMs = 1_000) => {
    const { 429: refused = 0, ...passed } = await edge.flood(40, path, asking);
    const most = Math.ceil((performance.now() - beganMs) / refillMs);
    assert.ok(refused >= 40 - most, `${path}: ${JSON.stringify(passed)}, at most ${most}`);
  };

  for (const path of ['/v1/order', '/v1/order/cancel', '/v1/cancel', '/v1/withdraw']) {
    test(`60 of 100 parallel requests pass on ${path}`, async () => {
      const limit = { limit: 60, refillMs: 1_000, status: path === '/v1/cancel' ? 401 : 400 };
      await assertLimit(limit, path, { ...POST, from: `127.0.2.${path.length}` });
    });
  }

  for (const [one, other] of [
    ['/v1/order', '/v1/withdraw'],
    ['/v1/order/cancel', '/v1/cancel'],
  ] as const) {
    test(`${one} and ${other} share one limit: after 60 none is left for the other`, async () => {
      const from = `127.0.4.${one.length}`;
      const beganMs = performance.now();
      await edge.flood(60, one, { ...POST, from });
      await assertUsedUp(beganMs, other, { ...POST, from });
    });
  }

  test('BAT-2: 300 of 340 parallel batches pass', async () => {
    await assertLimit({ limit: 300, refillMs: 200, status: 400 }, '/v1/batch', {
      ...POST,
      from: '127.0.1.1',
    });
  });

  test('60 together, then one a second are never refused', async () => {
    const asking = { ...POST, from: '127.0.1.2' };
    await edge.flood(61, '/v1/order', asking);
    for (let i = 0; i < 5; i++) {
      await sleep(1_010);
      assert.equal((await edge.ask('/v1/order', asking)).status, 400, `second ${i}`);
    }
  });

  test('10 s at full speed: 60 and one for each second, no more', async () => {
    const from = '127.0.1.3';
    const beganMs = performance.now();
    const flood = async (count: number) =>
      (await edge.flood(count, '/v1/order', { ...POST, from }))[400] ?? 0;
    let passed = await flood(61);
    // The limit began to refill between the two, and the last flood came between two others.
    const refilledMs = performance.now();
    let lastMs = refilledMs;
    while (lastMs - beganMs < 10_000) {
      await sleep(30);
      lastMs = performance.now();
      passed += await flood(8);
    }
    const least = 60 + Math.floor((lastMs - refilledMs) / 1_000);
    const most = 60 + Math.ceil((performance.now() - beganMs) / 1_000);
    assert.ok(passed >= least && passed <= most, `${passed} passed, not ${least} to ${most}`);
  });

  test('previews, reads and CORS preflights do not use up the limit of writes', async () => {
    const from = '127.0.1.4';
    assert.deepEqual(await edge.flood(120, '/v1/order/preview', { ...POST, from }), { 401: 120 });
    assert.deepEqual(await edge.flood(100, '/v1/order', { method: 'OPTIONS', from }), { 204: 100 });
    assert.deepEqual(await edge.flood(100, '/v1/batch', { method: 'OPTIONS', from }), { 204: 100 });
    assert.deepEqual(await edge.flood(60, '/v1/order', { ...POST, from }), { 400: 60 });
    assert.deepEqual(await edge.flood(20, '/v1/margin', { ...POST, from }), { 400: 20 });
    assert.equal((await edge.ask('/v1/withdraw/1', { from })).status, 401);
  });

  test('CORS preflights have a separate limit: 300', async () => {
    const asking = { method: 'OPTIONS', from: '127.0.1.5' };
    await assertLimit({ limit: 300, refillMs: 200, status: 204 }, '/v1/order', asking);
  });

  test('10 of 50 sign-ins pass, over either route', async () => {
    const from = '127.0.1.6';
    const limit = { limit: 10, refillMs: 6_000, status: 400 };
    const beganMs = performance.now();
    await assertLimit(limit, '/v1/auth/challenge?address=x', { from });
    await assertUsedUp(beganMs, '/v1/auth/verify', { ...POST, from }, limit.refillMs);
    assert.equal((await edge.ask('/v1/meta', { from })).status, 200);
  });

  test('300 reads pass, another client is not affected, and reserves have a separate limit', async () => {
    const from = '127.0.1.7';
    const limit = { limit: 300, refillMs: 200, status: 200 };
    await assertLimit(limit, '/v1/meta', { from });
    assert.equal((await edge.ask('/v1/meta', { from: '127.0.1.8' })).status, 200);
    await assertLimit(limit, '/v1/reserves', { from });
  });

  test('10 of 12 new streams of either kind open', async () => {
    const paths = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? '/ws' : '/v1/stream'));
    const opened = await Promise.all(paths.map((path) => edge.openStream(path, '127.0.1.9')));
    assert.deepEqual(opened.sort(), [...Array(10).fill(101), 429, 429]);
  });

  test('HTTP-1: a 429 is JSON with CORS headers, and says when to retry', async () => {
    const from = '127.0.1.10';
    const { headers, body } = await eventually('a refusal', async () => {
      const answer = await edge.ask('/v1/auth/challenge?address=x', { from });
      return answer.status === 429 && answer;
    });
    assert.deepEqual(JSON.parse(body), { error: 'too many requests — retry' });
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['retry-after'], '7');
    const exposed = `${CORS_HEADERS[EXPOSED]}, retry-after`;
    for (const [name, value] of Object.entries({ ...CORS_HEADERS, [EXPOSED]: exposed }))
      assert.equal(headers[name], value, name);
    await sleep(7_000);
    assert.equal((await edge.ask('/v1/auth/challenge?address=x', { from })).status, 400);
  });

  test('a path in another spelling is still the same route', async () => {
    const asking = { ...POST, from: '127.0.1.11' };
    const beganMs = performance.now();
    await edge.flood(61, '/v1/order', asking);
    for (const path of ['/v1/%6frder', '//v1/order', '/v1/./order', '/v1/x/../order', '/v1/order?a=1'])
      await assertUsedUp(beganMs, path, asking);
  });

  test('IPv6 is counted by /64, in any notation', async () => {
    for (const [one, other] of SAME_NETWORK) {
      const beganMs = performance.now();
      assert.deepEqual(await edge.flood(10, '/v1/auth/challenge?address=x', as(one)), { 400: 10 }, one);
      await assertUsedUp(beganMs, '/v1/auth/challenge?address=x', as(other), 6_000);
    }
    for (const address of OTHER_NETWORKS)
      assert.equal((await edge.ask('/v1/auth/challenge?address=x', as(address))).status, 400, address);
  });

  // Adding an address would make every Chromium on this machine drop its requests.
  test('a connection over IPv6 shares the limit of its /64 with addresses that nginx is told', async () => {
    const beganMs = performance.now();
    assert.deepEqual(await edge.flood(10, '/v1/auth/challenge?address=x', { from: '::1' }), { 400: 10 });
    await assertUsedUp(beganMs, '/v1/auth/challenge?address=x', { from: '::1' }, 6_000);
    await assertUsedUp(beganMs, '/v1/auth/challenge?address=x', as('::2'), 6_000);
    const stranger = await edge.ask('/v1/auth/challenge?address=x', as('2001:db8:66::1'));
    assert.equal(stranger.status, 400);
  });

  test('routes of operators, maker and feeds do not exist outside, and are never forwarded', async () => {
    const from = '127.0.1.12';
    const privateRoutes = PRIVATE.map(({ path }) => path);
    assert.ok(privateRoutes.length >= 15, `${privateRoutes.length}`);
    for (const { path, method } of PRIVATE) {
      const secrets = {
        'x-operator-token': DEPOSITS_ENV.VENUE_OPERATOR_TOKEN,
        'x-maker-token': DEPOSITS_ENV.VENUE_MAKER_TOKEN,
      };
      assertNotFound(
        await edge.ask(path, { method, from, headers: secrets, ...(method === 'POST' && { body: '{}' }) }),
        path,
      );
    }
    for (const path of [
      '/v1/%6fperator/audit',
      '/v1//operator/audit',
      '/v1/x/../operator/audit',
      '/%6detrics',
      '/v1/operator%2faudit',
      '/v1/operator',
    ])
      assertNotFound(await edge.ask(path, { from }), path);
    const asked = await edge.accessesOf(from, PRIVATE.length + 6);
    assert.deepEqual(
      asked.filter(({ upstream }) => upstream !== ''),
      [],
    );
  });

  test('every other route is answered by the service', async () => {
    const from = '127.0.1.13';
    for (const { path, method } of PUBLIC) await edge.ask(path.replaceAll(/\{\w+\}/g, '1'), { method, from });
    const asked = await edge.accessesOf(from, PUBLIC.length);
    assert.deepEqual(
      asked.filter(({ upstreamStatus }) => upstreamStatus === ''),
      [],
    );
  });
});

interface Limit {
  readonly limit: number;
  /** Time after which one more is allowed. */
  readonly refillMs: number;
  /** The status of the service's answer. */
  readonly status: number;
}

const ROUTES = routesOf({} as Services, 'deposits');
/** Routes for clients outside; everything else is for the operator's own processes and people. */
const OUTSIDE = new Set<Route['access']>(['public', 'signed', 'bearer']);
/** Readiness probes ask each node directly: the edge is up even when all nodes but one are not. */
const PROBES = new Set(['/livez', '/readyz']);
const isInside = ({ access, path }: Route) => !OUTSIDE.has(access) || PROBES.has(path);
const PRIVATE = ROUTES.filter(isInside);
const PUBLIC = ROUTES.filter((route) => !isInside(route));

/** Pairs that write the same first four groups differently. */
const SAME_NETWORK = [
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::1'],
  ['2001:db8::1', '2001:db8:0:0:1::'],
  ['2001:db8:0:7::', '2001:db8::7:a:b:c:d'],
  ['2001:a0a:a0a:a0a::1', '2001:a0a:a0a:a0a:a0a:a0a:a0a:a0a'],
] as const;
const OTHER_NETWORKS = [
  '2001:db8:1:3::1',
  '2001:db8:0:8::1',
  '2001:db8:1::1',
  '2001:a0a:a0a:a0b::1',
] as const;

function as(address: string): Asking {
  return { from: '127.0.1.14', headers: { 'x-test-address': address } };
}

function assertNotFound({ status, headers, body }: EdgeAnswer, path: string): void {
  assert.equal(status, 404, path);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', path);
  assert.deepEqual(JSON.parse(body), { error: 'not found' }, path);
}
