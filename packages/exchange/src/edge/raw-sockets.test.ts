/** Input that no HTTP library would send: handled here, before any rule of the venue sees it. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type LocalVenue, pricedVenue, signIn, type Trader } from '../../test/support.ts';
import { Credentials } from '../auth/credentials.ts';
import { Tokens } from '../auth/tokens.ts';
import { route } from '../http/route.ts';
import { createLogger } from '../observe/logger.ts';
import { createEdge } from './edge.ts';

/** A second request that must never be answered: smuggling hides it in the body of the first. */
const HIDDEN = 'GET /v1/hidden HTTP/1.1\r\nhost: x\r\n\r\n';
const NOT_FOUND = '{"error":"not found"}';

describe('raw sockets (HTTP-1)', () => {
  let venue: LocalVenue;
  let alice: Trader;
  let port: number;
  before(async () => {
    venue = await pricedVenue();
    alice = await signIn(venue);
    port = Number(new URL(venue.url).port);
  });
  after(() => venue.exchange.stop());

  const REFUSED: readonly (readonly [what: string, lines: readonly string[], rest?: string])[] = [
    ['a length and chunks', ['content-length: 5', 'transfer-encoding: chunked'], `0\r\n\r\n${HIDDEN}`],
    ['chunks and a length', ['transfer-encoding: chunked', 'content-length: 5'], `0\r\n\r\n${HIDDEN}`],
    ['two lengths', ['content-length: 2', `content-length: ${HIDDEN.length}`], `{}${HIDDEN}`],
    ['two lengths in one', ['content-length: 2, 40'], `{}${HIDDEN}`],
    ['a length that is not a number', ['content-length: 0x2'], `{}${HIDDEN}`],
    ['a signed length', ['content-length: +2'], `{}${HIDDEN}`],
    ['a negative length', ['content-length: -1'], HIDDEN],
    ['a length beyond all numbers', [`content-length: ${'9'.repeat(30)}`], HIDDEN],
    ['a coding that is not chunked', ['transfer-encoding: gzip'], `2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['chunked before another coding', ['transfer-encoding: chunked, gzip'], `0\r\n\r\n${HIDDEN}`],
    ['an unknown coding', ['transfer-encoding: xchunked'], `0\r\n\r\n${HIDDEN}`],
    ['a space before the colon', ['transfer-encoding : chunked'], `0\r\n\r\n${HIDDEN}`],
    ['a folded header', ['x-a: b\r\n  transfer-encoding: chunked'], `0\r\n\r\n${HIDDEN}`],
    ['a header without a colon', ['transfer-encoding']],
    ['a bare line feed', ['x-a: b\ntransfer-encoding: chunked'], `0\r\n\r\n${HIDDEN}`],
    ['a bare carriage return', ['x-a: b\rtransfer-encoding: chunked'], `0\r\n\r\n${HIDDEN}`],
    ['a null byte', ['x-a: \0']],
    ['a chunk without a size', ['transfer-encoding: chunked'], `zz\r\n${HIDDEN}`],
    ['a chunk longer than stated', ['transfer-encoding: chunked'], `1\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk size beyond all numbers', ['transfer-encoding: chunked'], `${'f'.repeat(20)}\r\n{}\r\n`],
    ['a header line of 20 kB', [`x-a: ${'a'.repeat(20_000)}`]],
    ['headers of 20 kB', Array.from({ length: 200 }, (_, i) => `x-${i}: ${'a'.repeat(100)}`)],
  ];
  for (const [what, lines, rest = ''] of REFUSED) {
    it(`${what}: 400 in JSON, and nothing more is read`, async () => {
      const { answers } = await talk(request('POST', '/v1/margin', [...json(), ...lines]) + rest);
      assert.equal(answers.length, 1);
      const [{ status, body, headers }] = answers as [Answer];
      assert.equal(status, 400);
      assert.ok(['malformed request', 'malformed JSON'].includes(JSON.parse(body).error), body);
      assert.match(headers, /connection: close/i);
      assert.match(headers, /access-control-allow-origin: \*/i);
    });
  }

  it('a body that holds a request is a body', async () => {
    const { answers } = await talk(
      `${request('POST', '/v1/nowhere', [`content-length: ${HIDDEN.length}`])}${HIDDEN}${last('/v1/last')}`,
    );
    assert.deepEqual(
      answers.map(({ body }) => body),
      [NOT_FOUND, NOT_FOUND],
    );
  });

  it('a header line of 9 kB is read', async () => {
    const { answers } = await talk(last('/healthz', [`x-a: ${'a'.repeat(9_000)}`]));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200],
    );
  });

  it('a duplicate token header counts as none, and a second host changes nothing', async () => {
    const token = `x-paper-token: ${alice.token}`;
    const { answers } = await talk(
      request('GET', '/v1/me', [token]) +
        request('GET', '/v1/me', [token, 'x-paper-token: other']) +
        request('GET', '/v1/me', [token, `authorization: Bearer ${'0'.repeat(64)}`]) +
        last('/v1/me', [token, 'host: other']),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 401, 401, 200],
    );
  });

  it('a target that names a host, or none, is not found', async () => {
    for (const target of [`http://127.0.0.1:${port}/healthz`, 'healthz', '*', '//healthz', '/healthz#a']) {
      const { answers } = await talk(last(target));
      const [answer] = answers;
      assert.ok(answer!.status === 404 || answer!.status === 400, `${target}: ${answer!.status}`);
    }
  });

  it('WEB-1: methods that a path does not have get 404, HEAD without a body', async () => {
    const { answers, rest } = await talk(request('HEAD', '/v1/order', ['connection: close']), {
      hasBody: false,
    });
    assert.deepEqual([answers[0]!.status, rest], [404, '']);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY']) {
      const { answers: refused } = await talk(request(method, '/v1/order', ['connection: close']));
      assert.deepEqual(
        refused.map(({ status, body }) => [status, body]),
        [[404, NOT_FOUND]],
      );
    }
  });

  it('a client that sends Expect gets 100 Continue and nothing else before the answer', async () => {
    const socket = connect(port, '127.0.0.1');
    const text = listen(socket);
    socket.write(request('POST', '/v1/margin', [...json(), 'content-length: 16', 'expect: 100-continue']));
    await until(() => text().includes('100 Continue'));
    socket.write('{"enabled":true}');
    await until(() => text().includes('"marginEnabled":true'));
    socket.destroy();
  });

  it('a client that half-closes still gets its answers', async () => {
    const { answers } = await talk(request('GET', '/healthz') + request('GET', '/v1/nowhere'), {
      isHalfOpen: true,
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404],
    );
  });

  it('pipelined writes are carried out and answered in order, even if some are faulty', async () => {
    const bodies = Array.from({ length: 40 }, (_, i) =>
      i % 7 === 3 ? '{"enabled":1}' : `{"enabled":${i % 2 === 0}}`,
    );
    const sent = bodies.map(
      (body) => request('POST', '/v1/margin', [...json(), `content-length: ${body.length}`]) + body,
    );
    const { answers } = await talk(sent.join('') + last('/v1/me', [`x-paper-token: ${alice.token}`]));
    assert.equal(answers.length, bodies.length + 1);
    for (const [i, body] of bodies.entries()) {
      const { status, body: answer } = answers[i]!;
      const { enabled } = JSON.parse(body);
      if (typeof enabled !== 'boolean') assert.equal(status, 400);
      else assert.equal(JSON.parse(answer).marginEnabled, enabled, `${i}`);
    }
  });

  it('a body sent one byte per packet is the same body', async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const text = listen(socket);
    const body = '{"enabled":true}';
    const sent = request('POST', '/v1/margin', [...json(), `content-length: ${body.length}`]) + body;
    for (const byte of sent) {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    await until(() => text().includes('"marginEnabled":true'));
    socket.destroy();
  });

  it('an upgrade that overtakes answers ends the connection, one after them joins the stream (HTTP-5)', async () => {
    const upgrade = request('GET', '/ws', [
      ...['connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
      `sec-websocket-key: ${'a'.repeat(22)}==`,
    ]);
    for (const before of ['GET', 'POST', 'OPTIONS'].map((method) => request(method, '/v1/series'))) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      const text = listen(socket);
      const closed = once(socket, 'close');
      socket.write(before + before + upgrade);
      await closed;
      assert.doesNotMatch(text(), /^HTTP\/1\.1 101/m);
    }
    const socket = connect(port, '127.0.0.1');
    const text = listen(socket);
    socket.write(request('GET', '/healthz'));
    await until(() => text().includes('"ok":true'));
    socket.write(upgrade);
    await until(() => text().includes('HTTP/1.1 101'));
    socket.destroy();
  });

  it('a hang-up in the middle of an upgrade leaves nothing behind', async () => {
    for (let i = 0; i < 20; i++) {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n', () =>
        socket.resetAndDestroy(),
      );
      await once(socket, 'close');
    }
    assert.equal((await venue.get('/healthz')).status, 200);
  });

  const json = () => ['content-type: application/json', `x-paper-token: ${alice.token}`];

  /** Sends, and collects answers until the server hangs up. */
  async function talk(
    text: string,
    { isHalfOpen = false, hasBody = true } = {},
  ): Promise<{ answers: Answer[]; rest: string }> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const received = listen(socket);
    if (isHalfOpen) socket.end(text);
    else socket.write(text);
    // A reset after the answer is a hang-up too.
    socket.on('error', () => {});
    const ended = Promise.withResolvers<void>();
    socket.on('end', ended.resolve).on('close', ended.resolve);
    await ended.promise;
    socket.destroy();
    return answersIn(received(), hasBody);
  }
});

describe('slow clients (HTTP-8)', () => {
  const headersMs = 300;
  const requestMs = 600;

  it('are disconnected if headers or body take too long; an idle connection is not', async (t) => {
    const server = createEdge({
      services: {
        tokens: new Tokens({ now: Date.now, randomBytes: (size) => new Uint8Array(size), secret: 'secret' }),
        credentials: new Credentials({
          operator: null,
          deposit: null,
          payout: null,
          attest: null,
          maker: null,
          feed: null,
          settle1: null,
          settle2: null,
        }),
        signingRequired: false,
        oversteps: { note() {} },
        state: { seq: 7 },
      },
      routes: [
        route({
          ...{ method: 'POST', path: '/echo', access: 'public', answer: Type.Unknown() },
          contract: { excluded: 'a test' },
          handle: ({ body }) => body,
        }),
      ],
      logger: createLogger('silent'),
      timeouts: { headersMs, requestMs },
    });
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const open = (text: string) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.write(text);
      return { socket, text: listen(socket), closed: once(socket, 'close') };
    };
    const idle = open(
      `${request('POST', '/echo', ['content-type: application/json', 'content-length: 2'])}{}`,
    );
    const headers = open('POST /echo HTTP/1.1\r\nhost: x\r\nx-a: ');
    const body = open(request('POST', '/echo', ['content-type: application/json', 'content-length: 20']));
    const dripping = setInterval(() => {
      headers.socket.write('a');
      body.socket.write(' ');
    }, 50);
    t.after(() => clearInterval(dripping));
    await Promise.all([headers.closed, body.closed]);
    for (const { text } of [headers, body]) assert.match(text(), /^HTTP\/1\.1 400 [\s\S]*malformed request/);
    await sleep(requestMs);
    idle.socket.write(
      `${request('POST', '/echo', ['content-type: application/json', 'content-length: 7'])}{"a":1}`,
    );
    await until(() => idle.text().includes('{"a":1}'));
    idle.socket.destroy();
  });
});

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

function request(method: string, target: string, lines: readonly string[] = []): string {
  return [`${method} ${target} HTTP/1.1`, 'host: venue', ...lines, '', ''].join('\r\n');
}

function last(target: string, lines: readonly string[] = []): string {
  return request('GET', target, [...lines, 'connection: close']);
}

function listen(socket: Socket): () => string {
  let text = '';
  socket.setEncoding('latin1').on('data', (data) => {
    text += data;
  });
  return () => text;
}

function answersIn(text: string, hasBody: boolean): { answers: Answer[]; rest: string } {
  const answers: Answer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { answers, rest };
    const headers = rest.slice(0, end);
    const length = hasBody ? Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0) : 0;
    const status = Number(headers.split(' ')[1]);
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}
