/** Slow, malicious or broken clients, a stream, TLS and logs: a real nginx in front of a real exchange. */

// @seconds 11

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { type Exchange, loadConfig, startExchange } from '@venue/exchange';
import { openMemoryLog } from '@venue/log';
import { randomPrivateKey, walletFromPrivateKey } from '@venue/sdk';
import WebSocket from 'ws';
import { CORS_HEADERS } from '../../packages/exchange/src/http/cors.ts';
import { eventually } from '../e2e/launched.ts';
import { skipBecause } from '../faults/machine.ts';
import { DEPOSITS_ENV, Edge, type EdgeAnswer, whyNoEdge } from './edge-server.ts';

const LIMIT_MS = 10_000;
/** The limit where none is configured. */
const NGINX_LIMIT_MS = 60_000;
const ROUNDING_MS = 500;
const POST = { method: 'POST' } as const;
const SKIP = skipBecause(whyNoEdge());

describe('clients at the edge', { skip: SKIP, concurrency: true }, () => {
  let exchange: Exchange;
  let edge: Edge;
  before(async () => {
    exchange = await startExchange(loadConfig(DEPOSITS_ENV), { log: await openMemoryLog() });
    edge = await Edge.start({ upstreamPort: Number(new URL(exchange.url).port) });
  });
  after(async () => {
    await edge?.stop();
    await exchange?.stop();
  });

  test('WS-1: frames of the stream arrive, and its token is in no log', async () => {
    const token = await tokenOf(exchange.url);
    const url = `wss://127.0.0.1:${edge.port}/ws?token=${token}`;
    const socket = new WebSocket(url, { ca: edge.certificate });
    const types: string[] = [];
    socket.on('message', (data) => types.push(JSON.parse(String(data)).type));
    await eventually('its own frames', () => types.includes('account') && types.includes('orders'));
    await post(exchange.url, { prints: [{ symbol: 'BTC', source: 'a', price: 101_000 }] });
    await eventually('a public frame', () => types.includes('spots'));
    socket.close();
    await once(socket, 'close');
    // When nginx refuses or fails, its messages would quote the request.
    for (let i = 0; i < 12; i++) await edge.openStream(`/ws?token=${token}`);
    await edge.ask(`/v1/chain?token=${token}&symbol=BTC`, {
      headers: { referer: `https://x/?token=${token}` },
    });
    await eventually('the records', () => /"path":"\/ws"/.test(edge.logs) && /"status":429/.test(edge.logs));
    await eventually('the record of the read', () => edge.logs.includes('"path":"/v1/chain"'));
    assert.ok(!edge.logs.includes(token), 'the token is in a log');
  });

  test('an incomplete header is cut off after 10 s', async () => {
    const beganMs = performance.now();
    const socket = await edge.dial();
    socket.write('GET /v1/meta HTTP/1.1\r\nHost: venue.example.com\r\n');
    const drip = setInterval(() => socket.write('x-a: b\r\n'), 1_000);
    const tookMs = (await closed(socket)) - beganMs;
    clearInterval(drip);
    assert.ok(tookMs > LIMIT_MS - ROUNDING_MS && tookMs < NGINX_LIMIT_MS / 2, `${tookMs} ms`);
  });

  test('a stalled body is cut off after 10 s, and never reaches the service', async () => {
    const beganMs = performance.now();
    const socket = await edge.dial();
    socket.write(
      'POST /v1/cancel HTTP/1.1\r\nHost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    );
    const tookMs = (await closed(socket)) - beganMs;
    assert.ok(tookMs > LIMIT_MS - ROUNDING_MS && tookMs < NGINX_LIMIT_MS / 2, `${tookMs} ms`);
    const { upstream, status } = edge.accesses.find(({ path }) => path === '/v1/cancel')!;
    assert.deepEqual([upstream, Number(status)], ['', 408]);
  });

  test('HTTP-2: 4 KiB for a withdrawal and 1 MiB for the rest, like the service', async () => {
    const tooLarge = { ...POST, body: 'x'.repeat(4_097) };
    assertError(await edge.ask('/v1/withdraw', tooLarge), 413, 'request body too large');
    assertError(
      await edge.ask('/v1/withdraw', { ...tooLarge, headers: { 'transfer-encoding': 'chunked' } }),
      413,
      'request body too large',
    );
    assert.equal((await edge.ask('/v1/withdraw', { ...POST, body: ' '.repeat(4_096) })).status, 400);
    for (const path of ['/v1/order', '/v1/batch']) {
      assert.equal((await edge.ask(path, { ...POST, body: ' '.repeat(1_048_576) })).status, 400);
      assertError(
        await edge.ask(path, { ...POST, body: ' '.repeat(1_048_577) }),
        413,
        'request body too large',
      );
    }
  });

  test('malformed requests get the standard error format', async () => {
    assertError(
      await edge.ask(`/v1/book?seriesId=${'x'.repeat(9_000)}`),
      414,
      'the address of the request is too long',
    );
    assertError(
      await edge.ask('/v1/meta', { headers: { 'x-long': 'x'.repeat(9_000) } }),
      400,
      'malformed request',
    );
    for (const bytes of MALFORMED) {
      const answer = await said(edge, bytes);
      assert.match(answer, /^HTTP\/1.1 400 [\s\S]*\r\n\r\n{"error":"malformed request"}$/, bytes);
    }
    for (const bytes of NOT_FOUND) {
      const answer = await said(edge, bytes);
      assert.match(answer, /^HTTP\/1.1 404 [\s\S]*\r\n\r\n{"error":"not found"}$/, bytes);
    }
  });

  test('TLS 1.2 and 1.3, HTTP/2, and HSTS for browsers', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3']) {
      const socket = await edge.dial(version === 'TLSv1.2' ? { maxVersion: version } : {});
      assert.equal(socket.getProtocol(), version);
      socket.destroy();
    }
    await assert.rejects(
      edge.dial({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }),
      /alert|version|EPROTO|disconnected/i,
    );
    const answer = await edge.ask('/healthz');
    assert.deepEqual([answer.status, answer.headers['strict-transport-security']], [200, 'max-age=31536000']);
    assert.equal(answer.headers.server, 'nginx');
    assert.equal(await statusByHttp2(edge, '/v1/meta'), 200);
  });

  test("requests without TLS are redirected to https under the venue's name, or refused with an explanation", async () => {
    const asked = requestPlain({
      port: edge.plainPort,
      path: '/v1/meta?a=1',
      headers: { host: 'evil.example' },
    });
    asked.end();
    const [answer] = await once(asked, 'response');
    answer.resume();
    assert.equal(answer.statusCode, 308);
    assert.equal(answer.headers.location, 'https://venue.example.com/v1/meta?a=1');
    const wrongPort = requestPlain({ port: edge.port, path: '/v1/meta' });
    wrongPort.end();
    const [refused] = await once(wrongPort, 'response');
    assert.deepEqual(
      [refused.statusCode, JSON.parse(await text(refused))],
      [400, { error: 'this port speaks https' }],
    );
  });

  test('a large answer is compressed for clients that accept it', async () => {
    await post(exchange.url, { prints: [{ symbol: 'ETH', source: 'a', price: 3_000 }] });
    const plain = await eventually('a listing', async () => {
      const answer = await edge.ask('/v1/series?symbol=ETH');
      return answer.body.length > 10_000 && answer;
    });
    assert.equal(plain.headers['content-encoding'], undefined);
    const packed = await edge.ask('/v1/series?symbol=ETH', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.ok(packed.body.length < plain.body.length / 4, `${packed.body.length}`);
  });
});

describe('the path to the service', { skip: SKIP }, () => {
  test('it gets the address that nginx saw, whatever the client claims, and no secret', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const connections = new Set<unknown>();
    const upstream = createServer((request, response) => {
      seen.push(request.headers);
      connections.add(request.socket);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const edge = await Edge.start({ upstreamPort: (upstream.address() as AddressInfo).port });
    try {
      const forged = {
        'x-forwarded-for': '10.0.0.1',
        forwarded: 'for=10.0.0.1',
        'x-operator-token': 'o',
        'x-settle-token-1': 's',
      };
      const kept = { authorization: 'Bearer t', 'x-paper-token': 't' };
      for (let i = 0; i < 5; i++)
        await edge.ask('/healthz', { from: '127.0.3.1', headers: { ...forged, ...kept } });
      const {
        'x-forwarded-for': from,
        forwarded,
        host,
        connection,
        authorization,
        'x-paper-token': token,
        ...rest
      } = seen[4]!;
      assert.deepEqual([from, forwarded, authorization, token], ['127.0.3.1', undefined, 'Bearer t', 't']);
      assert.deepEqual(
        Object.keys(rest).filter((name) => /operator|settle/.test(name)),
        [],
      );
      assert.deepEqual([connection ?? 'keep-alive', host], ['keep-alive', '127.0.0.1']);
      assert.ok(connections.size < 5, `${connections.size} connections for 5 requests`);
    } finally {
      await edge.stop();
      upstream.close();
      upstream.closeAllConnections();
    }
  });

  test('a service that is down, or drops a write, is a 502 with CORS headers, and a write is sent once', async () => {
    let asked = 0;
    const upstream = createServer((request) => {
      asked += 1;
      request.socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const edge = await Edge.start({ upstreamPort: (upstream.address() as AddressInfo).port });
    try {
      for (const [i, path] of ['/v1/order', '/v1/batch'].entries()) {
        assertError(await edge.ask(path, { ...POST, body: '{}' }), 502, 'the exchange cannot be reached');
        assert.equal(asked, i + 1);
      }
      upstream.close();
      await once(upstream, 'close');
      assertError(
        await edge.ask('/v1/order', { ...POST, body: '{}' }),
        502,
        'the exchange cannot be reached',
      );
      assert.equal(await edge.openStream('/ws?token=secret-of-a-stream'), 502);
      assert.equal((await edge.ask('/v1/me?token=secret-of-a-stream')).status, 502);
      assert.ok(!edge.logs.includes('secret-of-a-stream'), edge.logs);
    } finally {
      await edge.stop();
    }
  });
});

const MALFORMED = [
  'GET /v1/meta HTTP/1.1\r\n\r\n',
  'GET /v1/%zz HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/meta HTTP/9.9\r\nHost: a\r\n\r\n',
  'GET /v1/meta HTTP/1.1\r\nHost: a\r\nx: \0\r\n\r\n',
  'POST /v1/order HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: foo\r\n\r\n',
  'POST /v1/order HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'rubbish\r\n\r\n',
];
const NOT_FOUND = [
  'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://x/v1/operator/audit HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/operator/audit#x HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /.refused/plain HTTP/1.1\r\nHost: a\r\n\r\n',
];

/** A refusal in the contract's error format, with CORS headers and without details of the server behind it. */
function assertError({ status, headers, body }: EdgeAnswer, expected: number, error: string): void {
  assert.deepEqual([status, JSON.parse(body)], [expected, { error }]);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(CORS_HEADERS)) assert.equal(headers[name], value, name);
  assert.equal(headers.server, 'nginx');
}

async function post(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-feed-token': DEPOSITS_ENV.VENUE_FEED_TOKEN };
  const answer = await fetch(`${url}/v1/feed/prints`, { ...POST, headers, body: JSON.stringify(body) });
  assert.equal(answer.status, 200);
}

/** When nginx closed the connection, which it resets when it gives up. */
function closed(socket: Awaited<ReturnType<Edge['dial']>>): Promise<number> {
  return new Promise((resolve) => {
    socket
      .on('error', () => {})
      .on('close', () => resolve(performance.now()))
      .resume();
  });
}

/** The token of a new account. */
async function tokenOf(url: string): Promise<string> {
  const wallet = walletFromPrivateKey(randomPrivateKey());
  const challenge = await fetch(`${url}/v1/auth/challenge?address=${wallet.address}`);
  const { message } = (await challenge.json()) as { message: string };
  const body = { address: wallet.address, signature: await wallet.signMessage({ message }) };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/auth/verify`, { ...POST, headers, body: JSON.stringify(body) });
  const { token } = (await answer.json()) as { token: string };
  return token;
}

/** The answer to malformed bytes; nginx waits for the rest of some, and then resets the connection. */
async function said(edge: Edge, bytes: string): Promise<string> {
  const socket = await edge.dial();
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(bytes.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'));
  await closed(socket);
  return answer;
}

async function statusByHttp2(edge: Edge, path: string): Promise<number> {
  const session = connectHttp2(`https://127.0.0.1:${edge.port}`, {
    ca: edge.certificate,
    servername: 'venue.example.com',
  });
  const stream = session.request({ ':path': path });
  const [headers] = await once(stream, 'response');
  session.close();
  return headers[':status'];
}
