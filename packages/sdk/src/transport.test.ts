import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
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
  assert.ok(atMs[2]! - atMs[1]! >= 1_000);
  server.close();
});

test('a wait longer than the call’s time limit is not made', async () => {
  const { url, server } = await listen((_, response) => {
    response.writeHead(429, { 'retry-after': '60' }).end('{"error":"slow"}');
  });
  const error = await new Transport({ url, timeoutMs: 2_000 }).get('/').catch((thrown: unknown) => thrown);
  assert.ok(error instanceof RateLimitedError);
  assert.equal(error.retryAfterMs, 60_000);
  server.close();
});

test('a refused connection says that nothing was sent; a lost one and a late answer do not', async () => {
  const { url, server } = await listen((request) => {
    if (request.url === '/lost') request.socket.destroy();
  });
  // Longer than this thread may be kept from reading that a connection was lost.
  const transport = new Transport({ url, timeoutMs: 2_000 });
  const failure = async (path: string) => {
    const error = await transport.post(path, {}).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof VenueUnreachableError);
    return [error.name, error.neverSent];
  };
  assert.deepEqual(await failure('/lost'), ['VenueUnreachableError', false]);
  assert.deepEqual(await failure('/late'), ['VenueTimeoutError', false]);
  assert.ok(new VenueTimeoutError() instanceof VenueUnreachableError);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  assert.deepEqual(await failure('/gone'), ['VenueUnreachableError', true]);
});
