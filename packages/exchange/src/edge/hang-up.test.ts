import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import {
  DEPOSITS,
  FEED_TOKEN,
  type Json,
  type LocalVenue,
  MAKER_TOKEN,
  OPERATOR_TOKEN,
  pricedVenue,
  waitFor,
} from '../../test/support.ts';
import { Credentials } from '../auth/credentials.ts';
import { Tokens } from '../auth/tokens.ts';
import { route } from '../http/route.ts';
import { createLogger } from '../observe/logger.ts';
import { createEdge } from './edge.ts';

const DEBUG = 20;
const JSON_TYPE = 'content-type: application/json';
/** An equivalent content type that keeps a write off the fast path. */
const OTHER_TYPE = 'content-type: application/json; v=1';
const LENGTH = 'content-length: 100';
const HALF = '{"seriesId"';

describe('a client that hangs up causes no server fault (HTTP-3)', () => {
  const lines: Json[] = [];
  const logger = createLogger('debug', { write: (line) => lines.push(JSON.parse(line)) });
  let venue: LocalVenue;
  before(async () => {
    venue = await pricedVenue({ ...DEPOSITS }, { logger });
  });
  after(() => venue.exchange.stop());

  const loud = () => lines.filter(({ level }) => level > DEBUG);

  const HALVES: readonly (readonly [what: string, path: string, headers: string[], sent: string])[] = [
    ['a write', '/v1/order', [JSON_TYPE, LENGTH], HALF],
    ['a write with a parameter in its type', '/v1/order', [OTHER_TYPE, LENGTH], HALF],
    ['a write in chunks', '/v1/order', [JSON_TYPE, 'transfer-encoding: chunked'], `b\r\n${HALF}\r\n`],
    ['a write without any of its body', '/v1/cancel', [OTHER_TYPE, LENGTH], ''],
    ['a public write', '/v1/auth/verify', [JSON_TYPE, LENGTH], HALF],
    ['prints', '/v1/feed/prints', [JSON_TYPE, LENGTH, `x-feed-token: ${FEED_TOKEN}`], HALF],
    ['quotes', '/v1/maker/quotes', [JSON_TYPE, LENGTH, `x-maker-token: ${MAKER_TOKEN}`], HALF],
    ['a deposit', '/v1/deposit', [JSON_TYPE, LENGTH, `x-operator-token: ${OPERATOR_TOKEN}`], HALF],
    ['a recorded attempt', '/v1/operator/settle', [JSON_TYPE, LENGTH], HALF],
    ['an unknown path', '/v1/nothing', [JSON_TYPE, LENGTH], HALF],
  ];
  for (const [what, path, headers, sent] of HALVES) {
    it(`half-way through ${what}`, async () => {
      lines.length = 0;
      const socket = open(venue.url);
      socket.write(`POST ${path} HTTP/1.1\r\nhost: venue\r\n${headers.join('\r\n')}\r\n\r\n${sent}`);
      await sleep(20);
      socket.resetAndDestroy();
      await once(socket, 'close');
      await venue.get('/healthz');
      await waitFor(async () => lines.find((line) => line.route === '/healthz'));
      assert.deepEqual(loud(), []);
      assert.deepEqual(
        lines.filter(({ status }) => status >= 500),
        [],
      );
    });
  }

  for (const type of [JSON_TYPE, OTHER_TYPE]) {
    it(`with its whole write sent, as ${type}`, async () => {
      lines.length = 0;
      const socket = open(venue.url);
      const body = JSON.stringify({ symbols: ['BTC'], nonce: 1, sessionKey: '0x', signature: '0x' });
      const head = `POST /v1/cancel HTTP/1.1\r\nhost: venue\r\n${type}\r\ncontent-length: ${body.length}\r\n\r\n`;
      socket.write(head + body, () => socket.resetAndDestroy());
      await once(socket, 'close');
      await venue.get('/healthz');
      await waitFor(async () => lines.find((line) => line.route === '/healthz'));
      assert.deepEqual(loud(), []);
    });
  }
});

it('a server fault is reported, whether or not its client is still there (HTTP-3)', async (t) => {
  const lines: Json[] = [];
  const logger = createLogger('debug', { write: (line) => lines.push(JSON.parse(line)) });
  const reached = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const broken = route({
    ...{ method: 'POST', path: '/broken', access: 'public', answer: Type.Unknown() },
    body: Type.Object({}),
    contract: { excluded: 'a test' },
    handle: async () => {
      reached.resolve();
      await gone.promise;
      // The error of a database that lost its connection.
      throw Object.assign(new Error('of our own'), { code: 'ECONNRESET' });
    },
  });
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
  const server = createEdge({ services, routes: [broken], logger });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = open(`http://127.0.0.1:${port}`);
  socket.write(`POST /broken HTTP/1.1\r\nhost: venue\r\n${JSON_TYPE}\r\ncontent-length: 2\r\n\r\n{}`);
  await reached.promise;
  socket.resetAndDestroy();
  await once(socket, 'close');
  await sleep(20);
  gone.resolve();
  await waitFor(async () =>
    lines.find(({ err, msg }) => msg === 'internal error' && err.message === 'of our own'),
  );
});

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) });
}
