import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type LocalVenue, pricedVenue, readinessOf, signIn, type Trader } from '../../test/support.ts';
import { createLogger } from '../logger.ts';
import { addQuickWrites } from './quick-writes.ts';
import { route } from './route.ts';

/** What makes a request go the usual way, and means the same. */
const QUICK = 'application/json';
const USUAL = 'application/json; v=1';

describe('writes that are carried out before the framework', () => {
  let venue: LocalVenue;
  let alice: Trader;
  let order: object;
  before(async () => {
    venue = await pricedVenue();
    alice = await signIn(venue);
    const { seriesId } = await venue.listed('BTC');
    order = { seriesId, side: 'buy', qty: 1, price: 1 };
  });
  after(() => venue.exchange.stop());

  /** The very bytes of an answer, but for its time. */
  async function bytesOf(path: string, body: string, type: string, token = alice.token): Promise<string> {
    const socket = open();
    socket.write(
      [
        `POST ${path} HTTP/1.1`,
        'host: venue',
        'x-request-id: same',
        `content-type: ${type}`,
        `content-length: ${Buffer.byteLength(body)}`,
        `x-paper-token: ${token}`,
        '',
        body,
      ].join('\r\n'),
    );
    const answer = await answerOn(socket);
    socket.destroy();
    return answer.replace(/\r\nDate: [^\r]*/i, '');
  }

  function open(): Socket {
    const { hostname, port } = new URL(venue.url);
    return connect({ host: hostname, port: Number(port) }).setEncoding('utf8');
  }

  const posted = () =>
    [
      ['/v1/order', JSON.stringify({ ...order, seriesId: 'BTC-1-C-1' })],
      ['/v1/order', JSON.stringify({ ...order, qty: 0 })],
      ['/v1/order', JSON.stringify({ ...order, qty: '1' })],
      ['/v1/order', JSON.stringify({ ...order, side: 'both' })],
      ['/v1/order', JSON.stringify({ ...order, nonce: 1 })],
      ['/v1/order', JSON.stringify({ ...order, sessionKey: alice.address, nonce: 1, signature: '0x' })],
      ['/v1/order', '{}'],
      ['/v1/order', '[]'],
      ['/v1/order', 'not json'],
      ['/v1/order', '{"qty":1,"qty":2}'],
      ['/v1/order', '"\u{1f600}"'],
      ['/v1/order', ' '.repeat(1024 * 1024)],
      ['/v1/order', ' '.repeat(1024 * 1024 + 1)],
      ['/v1/order?side=buy', '{}'],
      ['/v1/cancel', '{}'],
      ['/v1/cancel', '{"symbols":[]}'],
      ['/v1/order/cancel', '{"orderId":1}'],
      ['/v1/margin', '{"enabled":true}'],
      ['/v1/withdraw', '{"amountUsd":1}'],
    ] as const;

  it('are the answers of the routes, byte for byte', async () => {
    for (const [path, body] of posted()) {
      const usual = await bytesOf(path, body, USUAL);
      assert.equal(await bytesOf(path, body, QUICK), usual, `${path} ${body.slice(0, 60)}`);
    }
    const [usual, quick] = [USUAL, QUICK].map((type) =>
      bytesOf('/v1/order', JSON.stringify(order), type, 'x'),
    );
    assert.equal(await quick, await usual);
  });

  it('place an order whichever way it comes', async () => {
    for (const type of [USUAL, QUICK]) {
      assert.match(await bytesOf('/v1/order', JSON.stringify(order), type), /"status":"rested","orderId":\d/);
    }
  });

  it('may come in pieces, and one after another on a connection', async () => {
    const socket = open();
    for (const symbol of ['BTC', 'ETH']) {
      const body = JSON.stringify({ symbol });
      socket.write(
        `POST /v1/cancel HTTP/1.1\r\nhost: venue\r\ncontent-type: ${QUICK}\r\ncontent-length: ${body.length}\r\n`,
      );
      socket.write(`x-paper-token: ${alice.token}\r\n\r\n${body.slice(0, 5)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.write(body.slice(5));
      assert.match(await answerOn(socket), /^HTTP\/1.1 200 OK[\s\S]*"pulled":/);
    }
    socket.destroy();
  });

  it('are forgotten when their client hangs up half-way', async () => {
    const socket = open();
    socket.write(
      `POST /v1/order HTTP/1.1\r\nhost: venue\r\ncontent-type: ${QUICK}\r\ncontent-length: 100\r\n\r\n{"qty"`,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    await once(socket, 'close');
    assert.match(await bytesOf('/v1/cancel', '{}', QUICK), /^HTTP\/1.1 200 OK/);
    const metrics = await (await fetch(`${venue.url}/metrics`)).text();
    assert.doesNotMatch(metrics, /route="\/v1\/order",status="5xx"/);
  });

  it('are counted as any other', async () => {
    const counted = async () => {
      const text = await (await fetch(`${venue.url}/metrics`)).text();
      return Number(/_count\{method="POST",route="\/v1\/cancel",status="4xx"\} (\d+)/.exec(text)?.[1]);
    };
    await bytesOf('/v1/cancel', 'not json', USUAL);
    const first = await counted();
    await bytesOf('/v1/cancel', '{"symbols":[]}', QUICK);
    await bytesOf('/v1/cancel', 'not json', QUICK);
    assert.equal(await counted(), first + 2);
  });
});

/** A route of each kind; behind them whatever is left answers 404. */
const ROUTES = (['signed', 'public'] as const).map((access) =>
  route({
    ...{ method: 'POST', path: `/${access}`, access, bodyLimitBytes: 16, answer: Type.Object({}) },
    contract: { excluded: 'a test' },
    handle: () => ({}),
  }),
);

/** Path, type, body, and whether the node knows the newest of the log. */
const SENT: readonly (readonly [string, string, string, boolean, status: 200 | 404])[] = [
  ['/signed', QUICK, '{}', true, 200],
  ['/signed', `${QUICK}; charset=utf-8`, `{${' '.repeat(14)}}`, true, 200],
  ['/signed', QUICK, `{${' '.repeat(15)}}`, true, 404],
  ['/signed', USUAL, '{}', true, 404],
  ['/signed', QUICK, '{}', false, 404],
  ['/signed?', QUICK, '{}', true, 404],
  ['/public', QUICK, '{}', true, 404],
];

describe('which writes those are', () => {
  for (const [path, type, body, isCurrent, status] of SENT) {
    it(`${path} with ${body.length} bytes of ${type}${isCurrent ? '' : ', behind the log'}: ${status}`, async () => {
      const server = createServer((_, response) => response.writeHead(404).end());
      addQuickWrites({ server } as unknown as FastifyInstance, {
        ...{ services: { readiness: readinessOf(isCurrent) }, routes: ROUTES },
        ...{ logger: createLogger('silent'), onAnswered: () => {} },
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}${path}`;
      const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } });
      assert.equal(answer.status, status);
      server.closeAllConnections();
      server.close();
    });
  }
});

/** The next answer on a connection, once its body is there as a whole. */
async function answerOn(socket: Socket): Promise<string> {
  let text = '';
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [string];
    text += chunk;
    const [, length, body] = /content-length: (\d+)[\s\S]*?\r\n\r\n([\s\S]*)$/i.exec(text) ?? [];
    if (length !== undefined && Buffer.byteLength(body!) >= Number(length)) return text;
  }
}
