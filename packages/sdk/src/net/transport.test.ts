// @process feed-sdk
// @seconds 10

import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  AbortedError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  TooLargeError,
  UnauthorizedError,
  UnavailableError,
  VenueError,
  VenueTimeoutError,
  VenueUnreachableError,
} from './errors.ts';
import { Transport } from './transport.ts';

async function listen(handler: RequestListener): Promise<{ url: string; server: Server }> {
  // A test that fails must not keep the process.
  const server = createServer(handler).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('a request carries query, headers and a JSON body, and returns the JSON of a 2xx', async () => {
  const seen: unknown[] = [];
  const { url, server } = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push([
      request.method,
      request.url,
      request.headers['content-type'],
      request.headers['x-token'],
      body,
    ]);
    response.end('{"ok":true}');
  });
  const transport = new Transport({ url: `${url}/` });
  const headers = { 'x-token': 't' };
  assert.deepEqual(await transport.get('/a', { query: { symbol: 'A&B', n: 1 }, headers }), { ok: true });
  assert.deepEqual(await transport.post('/b', { x: 1 }), { ok: true });
  assert.deepEqual(seen, [
    ['GET', '/a?symbol=A%26B&n=1', undefined, 't', ''],
    ['POST', '/b', 'application/json', undefined, '{"x":1}'],
  ]);
  server.close();
});

test('a refusal is a VenueError with the status and the text of the venue', async () => {
  const { url, server } = await listen((request, response) => {
    response.statusCode = request.url === '/json' ? 401 : 502;
    response.end(request.url === '/json' ? '{"error":"bad signature"}' : '<html>bad gateway</html>');
  });
  const transport = new Transport({ url });
  const refusal = async (path: string) => {
    const error = await transport.get(path).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof VenueError);
    return [error.status, error.message];
  };
  assert.deepEqual(await refusal('/json'), [401, 'bad signature']);
  assert.deepEqual(await refusal('/html'), [502, 'HTTP 502, without an answer of the venue']);
  server.close();
});

test('no answer is a VenueUnreachableError: refused, or too late', async () => {
  const { url, server } = await listen(() => {});
  await assert.rejects(new Transport({ url, timeoutMs: 50 }).get('/slow'), VenueUnreachableError);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(new Transport({ url }).get('/gone'), /ECONNREFUSED/);
});

test('CRED-1: a header that cannot be sent is named, and its value is in nothing that is thrown', async () => {
  const { url, server } = await listen((_, response) => response.end('{}'));
  for (const value of ['s3cret\nvalue', 's3cret\0value', 's3cret→value']) {
    const error = await new Transport({ url })
      .get('/', { headers: { 'x-operator-token': value } })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof TypeError);
    assert.match(error.message, /^the header x-operator-token cannot be sent/);
    assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /s3cret/);
  }
  server.close();
});

test('CRED-1: an address with a password is refused without repeating it', () => {
  for (const text of ['http://ann:s3cret@venue', 'https://ann@venue', 'ann:s3cret@venue'])
    assert.throws(() => new Transport({ url: text }), /^TypeError: (?!.*s3cret)/);
});

const KINDS: [number, new (status: number, message: string) => VenueError][] = [
  [400, RefusedError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [413, TooLargeError],
  [429, RateLimitedError],
  [500, UnavailableError],
  [503, UnavailableError],
];
/** Statuses after which the contract allows a repeat. */
const PASSING = new Set([429, 500, 503]);

for (const [status, kind] of KINDS) {
  const again = PASSING.has(status) ? 'again' : 'once';
  test(`${status} is a ${kind.name}; a read is sent ${again}, a write once`, async () => {
    const seen: (string | undefined)[] = [];
    const { url, server } = await listen((request, response) => {
      seen.push(request.method);
      response.statusCode = status;
      response.end('{"error":"not now"}');
    });
    const transport = new Transport({ url });
    for (const call of [() => transport.get('/'), () => transport.post('/', {})]) {
      const error = await call().catch((thrown: unknown) => thrown);
      assert.ok(error instanceof kind && error instanceof VenueError);
      assert.deepEqual([error.status, error.message, error.name], [status, 'not now', kind.name]);
    }
    const count = (method: string) => seen.filter((other) => other === method).length;
    assert.deepEqual([count('GET'), count('POST')], [PASSING.has(status) ? 3 : 1, 1]);
    server.close();
  });
}

test('after a read that was given up each is sent once, and repeated after the first answer', async () => {
  let asked = 0;
  let status = 500;
  const { url, server } = await listen((_, response) => {
    asked += 1;
    response.writeHead(status).end('{"error":"out of touch"}');
  });
  const transport = new Transport({ url });
  const attempts = async () => {
    asked = 0;
    await transport.get('/').catch(() => undefined);
    return asked;
  };
  assert.deepEqual([await attempts(), await attempts(), await attempts()], [3, 1, 1]);
  for (const answer of [200, 404]) {
    status = answer;
    assert.equal(await attempts(), 1);
    status = 500;
    assert.deepEqual([await attempts(), await attempts()], [3, 1], `after ${answer}`);
  }
  server.close();
});

test('a read continues once the venue has recovered, and waits for as long as it was asked to', async () => {
  const atMs: number[] = [];
  const { url, server } = await listen((request, response) => {
    atMs.push(performance.now());
    if (atMs.length === 1) return request.socket.destroy();
    if (atMs.length === 2) return response.writeHead(429, { 'retry-after': '1' }).end('{"error":"slow"}');
    return response.end('{"ok":true}');
  });
  assert.deepEqual(await new Transport({ url }).get('/'), { ok: true });
  assert.equal(atMs.length, 3);
  // A timer may be a millisecond early by this clock.
  assert.ok(atMs[2]! - atMs[1]! >= 990);
  server.close();
});

test('a wait longer than the call’s time limit is not made', async () => {
  const { url, server } = await listen((_, response) => {
    response.writeHead(429, { 'retry-after': '60' }).end('{"error":"slow"}');
  });
  const error = await new Transport({ url, timeoutMs: 59_000 }).get('/').catch((thrown: unknown) => thrown);
  assert.ok(error instanceof RateLimitedError);
  assert.equal(error.retryAfterMs, 60_000);
  server.close();
});

test('a refused connection says that nothing was sent; a lost one and a late answer do not', async () => {
  const { url, server } = await listen((request) => {
    if (request.url === '/lost') request.socket.destroy();
  });
  // The longer one is more than a busy machine keeps this thread from reading that a connection was lost.
  const failure = async (path: string, timeoutMs = 60_000) => {
    const error = await new Transport({ url, timeoutMs }).post(path, {}).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof VenueUnreachableError);
    return [error.name, error.neverSent];
  };
  assert.deepEqual(await failure('/lost'), ['VenueUnreachableError', false]);
  assert.deepEqual(await failure('/late', 50), ['VenueTimeoutError', false]);
  assert.ok(new VenueTimeoutError() instanceof VenueUnreachableError);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  assert.deepEqual(await failure('/gone'), ['VenueUnreachableError', true]);
});

test('requests go through a given fetch, with headers of the hook beside them', async () => {
  const calls: [string, unknown][] = [];
  const own: typeof fetch = async (url, init) => {
    calls.push([String(url), (init as { headers: Record<string, string> }).headers.traceparent]);
    return new Response('{"ok":true}', { headers: { 'x-venue-seq': '7' } });
  };
  const heard: unknown[] = [];
  const transport = new Transport({
    url: 'http://venue.invalid',
    fetch: own,
    onRequest: ({ method, path }) => ({ traceparent: `${method} ${path}` }),
    onResponse: ({ durationMs, ...news }) => heard.push([durationMs >= 0, news]),
  });
  assert.deepEqual(await transport.getShown('/a', { query: { n: 1 } }), { body: { ok: true }, seq: 7 });
  assert.deepEqual(calls, [['http://venue.invalid/a?n=1', 'GET /a?n=1']]);
  assert.deepEqual(heard, [[true, { method: 'GET', path: '/a?n=1', status: 200, seq: 7 }]]);
});

test('hooks hear of failures too, and their own errors go elsewhere', async () => {
  const faults: unknown[] = [];
  const heard: unknown[] = [];
  const transport = new Transport({
    url: 'http://127.0.0.1:1',
    onHandlerError: (fault) => faults.push(String(fault)),
    onRequest: () => {
      throw new Error('of the hook');
    },
    onResponse: ({ status, error }) => heard.push([status, error?.name]),
  });
  await assert.rejects(transport.post('/a', {}), VenueUnreachableError);
  assert.deepEqual([faults, heard], [['Error: of the hook'], [[null, 'VenueUnreachableError']]]);
});

test('an aborted call says so at once, and whether it had left', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url, server } = await listen(() => arrived.resolve());
  const stop = new AbortController();
  const transport = new Transport({ url, timeoutMs: 60_000 }).with({ signal: stop.signal });
  const under = transport.get('/never').catch((thrown: unknown) => thrown);
  await arrived.promise;
  const startedMs = performance.now();
  stop.abort('enough');
  const error = await under;
  assert.ok(performance.now() - startedMs < 30_000);
  assert.ok(error instanceof AbortedError && !error.neverSent, String(error));
  assert.deepEqual([error.code, error.cause], ['sdk:aborted', 'enough']);
  const later = await transport.post('/never', {}).catch((thrown: unknown) => thrown);
  assert.ok(later instanceof AbortedError && later.neverSent);
  server.closeAllConnections();
  server.close();
});

test('a signal is added to the one there is, and a time limit replaces it', async () => {
  const { url, server } = await listen(() => {});
  const [outer, inner] = [new AbortController(), new AbortController()];
  const transport = new Transport({ url, signal: outer.signal }).with({ signal: inner.signal });
  const both = [transport.get('/a'), transport.with({ signal: AbortSignal.timeout(60_000) }).get('/b')];
  outer.abort();
  for (const call of both) await assert.rejects(call, AbortedError);
  const startedMs = performance.now();
  const patient = new Transport({ url, timeoutMs: 60_000 });
  await assert.rejects(patient.with({ timeoutMs: 50 }).get('/a'), VenueTimeoutError);
  assert.ok(performance.now() - startedMs < 30_000);
  server.closeAllConnections();
  server.close();
});

test('a client with a limiter waits its turn; without, it does not', async (t) => {
  // No turn comes while the requests are made, however long that takes.
  t.mock.method(performance, 'now', () => 0);
  const own: typeof fetch = async () => new Response('{}');
  const post = (transport: Transport) => transport.with({ timeoutMs: 100 }).post('/v1/order', {});
  const open = new Transport({ url: 'https://open.invalid', fetch: own, limiter: false });
  for (let i = 0; i < 100; i++) await post(open);
  for (const options of [{ url: 'https://edge.invalid' }, { url: 'http://inside.invalid', limiter: true }]) {
    const limited = new Transport({ ...options, fetch: own });
    const sent = await Promise.allSettled(Array.from({ length: 100 }, () => post(limited)));
    assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 57);
    const refusals = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.ok(refusals.every((reason) => reason instanceof RateLimitedError && reason.retryAfterMs! > 100));
  }
});

test('FOL-5: reads go to the followers and name the newest entry of an own write; a lost write is looked up at the nodes', async () => {
  const seen: unknown[] = [];
  const listening = (name: string, seq: () => number) =>
    listen((request, response) => {
      seen.push([name, request.method, request.url, request.headers['x-venue-after']]);
      response.setHeader('x-venue-seq', seq());
      response.end('{"ok":true}');
    });
  let seq = 7;
  const node = await listening('node', () => seq);
  const follower = await listening('follower', () => 3);
  const transport = new Transport({ url: node.url, readUrl: follower.url });
  await transport.get('/a');
  await transport.post('/w', {});
  seq = 5;
  await transport.post('/w', {});
  await transport.with({ timeoutMs: 5_000 }).get('/a');
  await transport.toNodes().get('/a');
  assert.deepEqual(seen, [
    ['follower', 'GET', '/a', undefined],
    ['node', 'POST', '/w', undefined],
    ['node', 'POST', '/w', undefined],
    ['follower', 'GET', '/a', '7'],
    ['node', 'GET', '/a', undefined],
  ]);
  const alone = new Transport({ url: node.url });
  assert.equal(alone.toNodes(), alone);
  await alone.post('/w', {});
  await alone.get('/a');
  assert.deepEqual(seen.at(-1), ['node', 'GET', '/a', undefined]);
  assert.throws(() => new Transport({ url: node.url, readUrl: 'ftp://x' }), TypeError);
  node.server.close();
  follower.server.close();
});
