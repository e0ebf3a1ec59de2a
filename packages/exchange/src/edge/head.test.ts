import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { allRoutes } from '../../test/contract/routes.ts';
import { type LocalVenue, pricedVenue, signIn, type Trader } from '../../test/support.ts';

/** Differ from answer to answer, whatever the method. */
const OF_ONE_ANSWER = ['date', 'x-request-id', 'x-venue-seq'] as const;
const OPEN_PARTS: Readonly<Record<string, string>> = { file: 'start.js' };

describe('what any server of HTTP does (WEB-1)', () => {
  let venue: LocalVenue;
  let alice: Trader;
  before(async () => {
    venue = await pricedVenue();
    alice = await signIn(venue);
  });
  after(() => venue.exchange.stop());

  // The time that a process has lived changes from one look at the metrics to the next.
  const reads = allRoutes().filter(({ method, path }) => method === 'GET' && path !== '/metrics');
  const paths = new Set(reads.map(({ path }) => path));
  it('HEAD answers as GET on every route, without a body', async () => {
    assert.ok(paths.size > 30);
    for (const pattern of paths) {
      const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => OPEN_PARTS[name] ?? '1');
      const asked = await ask('GET', path);
      const head = await ask('HEAD', path);
      assert.deepEqual(
        [head.status, head.length, lasting(head.headers)],
        [asked.status, 0, lasting(asked.headers)],
        path,
      );
    }
  });

  it('HEAD of a long answer has the length and coding that GET has', async () => {
    const path = '/v1/series?symbol=BTC';
    const asked = await ask('GET', path, { 'accept-encoding': 'br' });
    const head = await ask('HEAD', path, { 'accept-encoding': 'br' });
    assert.deepEqual([head.length, lasting(head.headers)], [0, lasting(asked.headers)]);
    assert.equal(head.headers['content-encoding'], 'br');
    assert.equal(head.headers['content-length'], String(asked.length));
  });

  it('HEAD leaves the connection usable for the next request, and switches no protocol', async () => {
    const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    assert.equal((await ask('HEAD', '/ws', upgrade)).status, 404);
    assert.equal((await ask('GET', '/healthz')).status, 200);
  });

  it('a body in a content coding is 415 on every route that takes one, before it is read', async () => {
    const taking = allRoutes().filter(
      ({ body, access, signsBytes, modes }) =>
        body && (access === 'signed' || access === 'public' || access === 'bearer') && !signsBytes && !modes,
    );
    assert.ok(taking.length > 5);
    for (const { path } of taking)
      for (const coding of ['gzip', 'br', 'identity, gzip', 'aws-chunked'])
        assert.deepEqual(
          await refusalOf(path, coding),
          [415, { error: 'unsupported content encoding' }],
          `${path} ${coding}`,
        );
    const [status, { error }] = await refusalOf('/v1/margin', 'identity');
    assert.deepEqual([status, error], [400, 'malformed JSON']);
  });

  it('a page of another origin may read the name of its request', async () => {
    for (const [path, status] of [
      ['/healthz', 200],
      ['/nowhere', 404],
    ] as const) {
      const { headers, status: answered } = await ask('GET', path);
      assert.equal(answered, status);
      assert.match(String(headers['access-control-expose-headers']), /(^|, )x-request-id(,|$)/);
      assert.ok(headers['x-request-id']);
    }
  });

  async function refusalOf(path: string, coding: string): Promise<[number, { error: string }]> {
    const headers = {
      'x-paper-token': alice.token,
      'content-type': 'application/json',
      'content-encoding': coding,
    };
    const body = new Uint8Array(gzipSync('{}'));
    const { status, body: answer } = await venue.send(path, { method: 'POST', headers, body });
    return [status, answer];
  }

  async function ask(method: string, path: string, headers: Record<string, string> = {}) {
    const asked = { method, headers: { 'x-paper-token': alice.token, ...headers } };
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request(`${venue.url}${path}`, asked, resolve).on('error', reject).end(),
    );
    const bytes = await buffer(response);
    return { status: response.statusCode, headers: response.headers, length: bytes.length };
  }
});

function lasting(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept = { ...headers };
  for (const name of OF_ONE_ANSWER) delete kept[name];
  return kept;
}
