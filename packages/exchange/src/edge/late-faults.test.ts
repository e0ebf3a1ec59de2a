import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { Type } from 'typebox';
import { type Json, waitFor } from '../../test/support.ts';
import { Credentials } from '../auth/credentials.ts';
import { Tokens } from '../auth/tokens.ts';
import { Content, JSON_TYPE, type Route, route } from '../http/route.ts';
import { createLogger } from '../observe/logger.ts';
import type { Answered } from '../observe/metrics.ts';
import { createEdge, type EdgeOptions } from './edge.ts';

const LONG = 'x'.repeat(2_000);
const GZIP = 'accept-encoding: gzip\r\n';
const PLAIN = { contentType: 'text/plain', body: 'text' };

const get = (path: string, handle: Route['handle']) =>
  route({
    ...{ method: 'GET', path, access: 'public', answer: Type.Unknown() },
    contract: { excluded: 'a test' },
    handle,
  });
const thrower = () => {
  throw new Error('on the way out');
};
const throwing = (headers: object) =>
  Object.defineProperty(headers, 'x-a', { enumerable: true, get: thrower });
const faulty = (contentType: string, body: string, headers = throwing({}) as Record<string, string>) =>
  new Content(contentType, body, headers);

describe('a fault after the handler costs its request, and no other (HTTP-3)', () => {
  it('an answer without a body is a 500', async (t) => {
    const door = await open(t, [get('/faulty', () => undefined)]);
    assert.match(await door.ask('/faulty'), /^HTTP\/1.1 500 .*\{"error":"internal error"\}$/s);
    door.assertOneLine();
  });

  it('so is one that cannot be compressed', async (t) => {
    const door = await open(t, [get('/faulty', () => faulty(JSON_TYPE, LONG))]);
    assert.match(await door.ask('/faulty', GZIP), /^HTTP\/1.1 500 .*\{"error":"internal error"\}$/s);
    door.assertOneLine();
  });

  for (const [kind, handle] of [
    ['at once', () => faulty(PLAIN.contentType, PLAIN.body)],
    ['later', async () => faulty(PLAIN.contentType, PLAIN.body)],
  ] as const)
    it(`one that cannot be written, made ${kind}, ends its connection`, async (t) => {
      const door = await open(t, [get('/faulty', handle)]);
      assert.equal(await door.ask('/faulty'), '');
      door.assertOneLine();
      assert.deepEqual(
        door.answered.map(({ route: path, status }) => [path, status]),
        [['/faulty', 500]],
      );
    });

  it('and so does a header that HTTP does not allow', async (t) => {
    const door = await open(t, [get('/faulty', () => faulty('text/plain', 'text', { 'x-a': 'a\r\nb' }))]);
    assert.equal(await door.ask('/faulty'), '');
    door.assertOneLine();
  });

  it('an answer that has left keeps its status when the metrics fail', async (t) => {
    const door = await open(t, [get('/faulty', () => ({}))], thrower);
    assert.match(await door.ask('/faulty'), /^HTTP\/1.1 200 /);
    await waitFor(async () => door.lines[0]);
    door.assertOneLine();
  });
});

async function open(t: TestContext, routes: Route[], onAnswered?: EdgeOptions['onAnswered']) {
  const lines: Json[] = [];
  const answered: Answered[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const daemons = { operator: null, deposit: null, payout: null, attest: null, maker: null, feed: null };
  const secrets = { ...daemons, settle1: null, settle2: null };
  const tokens = new Tokens({ now: Date.now, randomBytes: (size) => new Uint8Array(size), secret: 'secret' });
  const services = {
    tokens,
    credentials: new Credentials(secrets),
    signingRequired: false,
    oversteps: { note() {} },
    state: { seq: 7 },
  };
  const tell = onAnswered ?? ((one: Answered) => answered.push(one));
  const server = createEdge({ services, routes, logger, onAnswered: tell });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  /** Everything that comes back on a connection of its own. */
  const ask = (path: string, headers = '') => {
    const socket = connect(port, '127.0.0.1');
    const head = `GET ${path} HTTP/1.1\r\nhost: venue\r\nconnection: close\r\nx-request-id: its-id\r\n`;
    socket.write(`${head}${headers}\r\n`);
    return text(socket);
  };
  const assertOneLine = () =>
    assert.deepEqual(
      lines.map(({ level, msg, requestId, route: path }) => [level, msg, requestId, path]),
      [[50, 'internal error', 'its-id', '/faulty']],
    );
  return { ask, assertOneLine, lines, answered };
}
