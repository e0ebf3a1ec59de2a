import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Type } from 'typebox';
import {
  type LocalVenue,
  pricedVenue,
  signIn,
  type Trader,
  type Venue,
  waitFor,
} from '../../test/support.ts';
import { Credentials } from '../auth/credentials.ts';
import { Tokens } from '../auth/tokens.ts';
import { route } from '../http/route.ts';
import { createLogger } from '../observe/logger.ts';
import { createEdge } from './edge.ts';

describe('HTTP around the routes', () => {
  let venue: LocalVenue;
  let alice: Trader;
  before(async () => {
    venue = await pricedVenue();
    alice = await signIn(venue);
  });
  after(() => venue.exchange.stop());

  const post = (path: string, body: string | Uint8Array, type: string | null = 'application/json') =>
    venue.send(path, {
      method: 'POST',
      headers: { 'x-paper-token': alice.token, ...(type !== null && { 'content-type': type }) },
      body: body as string,
    });

  describe('what does not exist is 404 `not found` (FINE-2, FINE-3)', () => {
    const ABSENT: [string, string][] = [
      ['GET', '/'],
      ['GET', '/v1'],
      ['GET', '/v1/me/'],
      ['GET', '/v1/ME'],
      ['GET', '/v1/withdraw'],
      ['POST', '/v1/withdraw'],
      ['GET', '/v1/reserves'],
      ['POST', '/v1/deposit'],
      ['GET', '/v1/order'],
      ['POST', '/v1/book'],
      ['PUT', '/v1/order'],
      ['DELETE', '/v1/me'],
      ['HEAD', '/v1/order'],
      ['PROPFIND', '/healthz'],
      ['GET', '/ws'],
      ['GET', '/%E0%A4%A'],
      ['GET', '/v1/../healthz/%2e%2e'],
    ];
    for (const [method, path] of ABSENT) {
      it(`${method} ${path}`, async () => {
        const reply = await send(venue, method, path);
        assert.equal(reply.status, 404);
        assert.equal(reply.headers['access-control-allow-origin'], '*');
        if (method !== 'HEAD') assert.deepEqual(JSON.parse(reply.text), { error: 'not found' });
      });
    }

    it('whatever its body is', async () => {
      const reply = await post('/v1/withdraw', 'not json', 'text/plain');
      assert.deepEqual([reply.status, reply.body], [404, { error: 'not found' }]);
    });
  });

  describe('CORS (HTTP-1)', () => {
    const ANSWERS: [string, string, number][] = [
      ['GET', '/healthz', 200],
      ['GET', '/v1/series', 400],
      ['GET', '/v1/me', 401],
      ['POST', '/v1/feed/prints', 403],
      ['GET', '/nowhere', 404],
      ['OPTIONS', '/v1/order', 204],
      ['OPTIONS', '/nowhere', 204],
      ['OPTIONS', '*', 204],
    ];
    for (const [method, path, status] of ANSWERS) {
      it(`are on ${status} of ${method} ${path}`, async () => {
        const reply = await send(venue, method, path);
        assert.equal(reply.status, status);
        assert.equal(reply.headers['access-control-allow-origin'], '*');
        assert.equal(reply.headers['access-control-allow-methods'], 'GET, POST, OPTIONS');
        assert.equal(
          reply.headers['access-control-allow-headers'],
          'content-type, x-paper-token, authorization, prefer, x-session-key, x-nonce, x-signature, x-venue-after',
        );
        assert.equal(
          reply.headers['access-control-expose-headers'],
          'x-venue-seq, x-request-id, preference-applied, x-venue-code',
        );
        assert.equal(reply.headers['access-control-allow-credentials'], undefined);
        assert.ok(reply.headers.date);
      });
    }
  });

  it('VEN-2: every answer names the entry that it shows', async () => {
    const seqOf = async (method: string, path: string) =>
      Number((await send(venue, method, path)).headers['x-venue-seq']);
    const { seq: before } = (await venue.get('/v1/venue')).body;
    assert.ok(before > 0);
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['GET', '/v1/series'],
      ['GET', '/nowhere'],
      ['OPTIONS', '/v1/order'],
    ] as const)
      assert.ok((await seqOf(method, path)) >= before, `${method} ${path}`);
    const raw = await exchangeText(venue, 'no HTTP at all', []);
    assert.ok(Number(/^x-venue-seq: (\d+)\r$/m.exec(raw)?.[1]) >= before, raw);
    const upgrade = await exchangeText(venue, 'GET /ws HTTP/1.1', [
      'host: venue',
      'upgrade: websocket',
      'connection: upgrade',
      'sec-websocket-version: 13',
    ]);
    assert.ok(Number(/^x-venue-seq: (\d+)\r$/m.exec(upgrade)?.[1]) >= before, upgrade);
  });

  describe('bodies (HTTP-1, HTTP-2, HTTP-3)', () => {
    const REFUSED: [string, string | Uint8Array, string | null, string][] = [
      ['plain text', '{}', 'text/plain', 'content-type must be application/json'],
      ['a form', 'a=1', 'application/x-www-form-urlencoded', 'content-type must be application/json'],
      ['no content type', new TextEncoder().encode('{}'), null, 'content-type must be application/json'],
      ['a lookalike type', '{}', 'application/jsonp', 'content-type must be application/json'],
      ['nothing', '', 'application/json', 'body required'],
      ['half an object', '{"enabled":', 'application/json', 'malformed JSON'],
      ['a repeated key', '{"enabled":true,"enabled":false}', 'application/json', 'malformed JSON'],
      ['__proto__', '{"enabled":true,"__proto__":{}}', 'application/json', 'malformed JSON'],
      [
        'nine levels',
        `{"enabled":true,"x":${'['.repeat(8)}${']'.repeat(8)}}`,
        'application/json',
        'malformed JSON',
      ],
      ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'application/json', 'malformed JSON'],
      ['an array', '[]', 'application/json', 'body must be a JSON object'],
      ['a string', '"x"', 'application/json', 'body must be a JSON object'],
      ['null', 'null', 'application/json', 'body must be a JSON object'],
    ];
    for (const [what, body, type, error] of REFUSED) {
      it(`400 for ${what}`, async () => {
        const reply = await post('/v1/margin', body, type);
        assert.deepEqual([reply.status, reply.body], [400, { error }]);
      });
    }

    it('takes a content type with parameters, in any case', async () => {
      const reply = await post('/v1/margin', '{"enabled":true}', 'Application/JSON; charset=utf-8');
      assert.equal(reply.status, 200);
    });

    it('413 past 1 MiB, for quotes too (HTTP-2, OWN-62)', async () => {
      const big = (bytes: number) => JSON.stringify({ enabled: true, padding: 'x'.repeat(bytes) });
      assert.equal((await post('/v1/margin', big(1_000_000))).status, 200);
      const over = await post('/v1/margin', big(1 << 20));
      assert.deepEqual([over.status, over.body], [413, { error: 'request body too large' }]);
      assert.equal(over.headers.get('access-control-allow-origin'), '*');
      assert.equal((await venue.quote({ rows: [], padding: 'x'.repeat(1_000_000) })).status, 200);
      assert.equal((await venue.quote({ rows: [], padding: 'x'.repeat(1 << 20) })).status, 413);
    });
  });

  it('answers bytes that are not HTTP with 400 and continues', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(venue.url).port), '127.0.0.1', () =>
        socket.end('garbage\r\n\r\n'),
      );
      let text = '';
      socket
        .on('data', (data) => (text += data))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /access-control-allow-origin: \*/);
    assert.equal((await venue.get('/healthz')).status, 200);
  });

  describe('answers 400 in JSON to broken HTTP (HTTP-1)', () => {
    const upgrade = ['host: x', 'connection: upgrade', 'upgrade: websocket'];
    const key = `sec-websocket-key: ${'a'.repeat(22)}==`;
    const BROKEN: [string, string, string[]][] = [
      ['no host', 'GET /healthz', []],
      ['no host of an upgrade', 'GET /ws', [...upgrade.slice(1), key, 'sec-websocket-version: 13']],
      ['an unknown expectation', 'GET /healthz', ['host: x', 'expect: foo']],
      ['an upgrade of another version', 'GET /ws', [...upgrade, key, 'sec-websocket-version: 7']],
      ['an upgrade without a key', 'GET /ws', [...upgrade, 'sec-websocket-version: 13']],
    ];
    for (const [what, line, headers] of BROKEN) {
      it(what, async () => {
        const [head, body] = (await exchangeText(venue, `${line} HTTP/1.1`, headers)).split('\r\n\r\n');
        assert.match(head!, /^HTTP\/1\.1 400 /);
        assert.match(head!, /^content-type: application\/json/im);
        assert.match(head!, /^access-control-allow-origin: \*/im);
        assert.deepEqual(JSON.parse(body!), { error: 'malformed request' });
      });
    }

    it('a known expectation and HTTP/1.0 are not broken', async () => {
      const known = await exchangeText(venue, 'GET /healthz HTTP/1.1', ['host: x', 'expect: 100-continue']);
      assert.match(known, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
      assert.match(await exchangeText(venue, 'GET /healthz HTTP/1.0', []), /^HTTP\/1\.1 200 /);
    });

    it('hangs up on a handshake it refused, even if the client does not', async () => {
      const port = Number(new URL(venue.url).port);
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      let failed = false;
      // Once the server is gone, and not just its half of the connection, sending fails.
      socket.on('error', () => (failed = true)).resume();
      socket.write(`GET /ws HTTP/1.1\r\n${upgrade.join('\r\n')}\r\n\r\n`);
      try {
        await once(socket, 'end');
        await waitFor(async () => {
          if (!failed) socket.write('x');
          return failed || undefined;
        });
      } finally {
        socket.destroy();
      }
    });
  });

  it('answers a client that offers HTTP/2, or an upgrade where there is no stream, normally', async () => {
    const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
    const reply = await send(venue, 'GET', '/healthz', h2c);
    assert.deepEqual([reply.status, JSON.parse(reply.text).ok], [200, true]);
    const webSocket = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'a'.repeat(22) };
    assert.equal((await send(venue, 'GET', '/healthz', webSocket)).status, 200);
  });

  it('keeps connections alive', async () => {
    assert.equal((await venue.get('/healthz')).headers.get('connection'), 'keep-alive');
  });
});

it('HTTP-6: a start that needs an operator keeps nobody waiting, and reports its state', async (t) => {
  const routes = ['/healthz', '/v1/meta'].map((path) =>
    route({
      ...{ method: 'GET', path, access: 'public', answer: Type.Unknown() },
      contract: { excluded: 'a test' },
      handle: () => ({ path }),
    }),
  );
  const opening = Promise.withResolvers<boolean>();
  let isHeldUp = true;
  const logger = createLogger('silent');
  const server = createEdge({
    ...{ services: services(), routes, logger, opened: opening.promise, isHeldUp: () => isHeldUp },
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  assert.deepEqual([await statusOf('/healthz'), await statusOf('/v1/meta')], [200, 500]);
  isHeldUp = false;
  const waiting = statusOf('/v1/meta');
  opening.resolve(true);
  assert.equal(await waiting, 200);
});

describe('an internal fault (HTTP-3)', () => {
  it('is 500 without internal details, and is logged without the query', async () => {
    const lines: string[] = [];
    const logger = createLogger('debug', { write: (line) => lines.push(line) });
    const broken = route({
      method: 'GET',
      path: '/broken',
      access: 'public',
      answer: Type.Unknown(),
      contract: { excluded: 'a test' },
      handle: () => {
        throw new Error('the secret cause');
      },
    });
    const server = createEdge({ services: services(), routes: [broken], logger });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/broken?token=hunter2`);
    assert.deepEqual([reply.status, await reply.json()], [500, { error: 'internal error' }]);
    assert.equal(reply.headers.get('access-control-allow-origin'), '*');
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    assert.ok(lines.some((line) => line.includes('the secret cause')));
    assert.ok(lines.some((line) => JSON.parse(line).status === 500));
    assert.ok(!lines.join().includes('hunter2'));
  });
});

function services() {
  const tokens = new Tokens({ now: Date.now, randomBytes: (size) => new Uint8Array(size), secret: 'secret' });
  const daemons = { operator: null, deposit: null, payout: null, attest: null, maker: null, feed: null };
  const secrets = { ...daemons, settle1: null, settle2: null };
  return {
    tokens,
    credentials: new Credentials(secrets),
    signingRequired: false,
    oversteps: { note() {} },
    state: { seq: 7 },
  };
}

/** Unlike `fetch`, refuses no method and corrects no path. */
function send(venue: Venue, method: string, path: string, headers: Record<string, string> = {}) {
  const { port } = new URL(venue.url);
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const request = rawRequest({ port, method, path, headers, host: '127.0.0.1' }, (response) => {
        let text = '';
        response.on('data', (data) => (text += data));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      });
      request.on('error', reject).end();
    },
  );
}

/** Everything the service answers to a verbatim request, until it hangs up. */
function exchangeText(venue: Venue, requestLine: string, headers: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(venue.url).port), '127.0.0.1', () =>
      socket.write([requestLine, ...headers, ...closing(headers), '', ''].join('\r\n')),
    );
    let text = '';
    socket
      .on('data', (data) => (text += data))
      .on('end', () => resolve(text))
      .on('error', reject);
  });
}

function closing(headers: string[]): string[] {
  return headers.some((header) => header.startsWith('connection:')) ? [] : ['connection: close'];
}
