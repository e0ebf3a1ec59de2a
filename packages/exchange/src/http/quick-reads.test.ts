import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { type LocalVenue, pricedVenue, readinessOf } from '../../test/support.ts';
import { createLogger } from '../logger.ts';
import { addQuickReads, type QuickReadsOptions } from './quick-reads.ts';

interface Plain {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<Plain> {
  const [response] = (await once(
    get(url, { headers: { 'x-request-id': 'same', ...headers } }),
    'response',
  )) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, body: await text(response) };
}

/** Sent with a body's length, a request goes the usual way. */
const USUAL = { 'content-length': '0' };

describe('reads that are answered before the framework', () => {
  let venue: LocalVenue;
  let paths: string[];
  before(async () => {
    venue = await pricedVenue();
    const { seriesId, expiryTs } = await venue.listed('BTC');
    paths = [
      `/v1/book?seriesId=${seriesId}`,
      `/v1/chain?symbol=BTC&expiryTs=${expiryTs}`,
      '/v1/chain?symbol=BTC&expiryTs=7',
      // These are refused, or read in another way.
      `/v1/chain?symbol=btc&expiryTs=${expiryTs}`,
      `/v1/chain?expiryTs=${expiryTs}&symbol=BTC`,
      `/v1/book?seriesId=${seriesId}&seriesId=${seriesId}`,
      `/v1/book?seriesId=${encodeURIComponent(`${seriesId} `)}`,
      '/v1/book?seriesId=BTC-1-C-1',
      '/v1/chain?symbol=NONE&expiryTs=7',
      '/v1/book',
    ];
  });
  after(() => venue.exchange.stop());

  it('are the answers of the routes, status, headers and body', async () => {
    for (const path of paths) {
      const [quick, usual] = [await ask(venue.url + path), await ask(venue.url + path, USUAL)];
      delete quick.headers.date;
      delete usual.headers.date;
      assert.deepEqual(quick, usual, path);
    }
  });

  it('are counted as any other', async () => {
    const counted = async () => {
      const { body } = await ask(`${venue.url}/metrics`);
      return Number(/_count\{method="GET",route="\/v1\/book",status="2xx"\} (\d+)/.exec(body)?.[1]);
    };
    const first = await counted();
    await venue.get(paths[0]!);
    assert.equal(await counted(), first + 1);
  });
});

/** Whether the node knows the newest of the log, and who answers: behind it whatever is left answers 404. */
for (const [isCurrent, status] of [
  [true, 200],
  [false, 404],
] as const) {
  it(`a node that is ${isCurrent ? '' : 'not '}in touch with the log answers ${isCurrent ? 'at once' : 'the usual way'}`, async (t) => {
    const server = createServer((_, response) => response.writeHead(404).end());
    t.after(() => server.close());
    const services = {
      state: { seriesById: new Map([['A', {}]]) },
      ...{ readiness: readinessOf(isCurrent), now: () => 0, pages: { book: () => Buffer.from('{}') } },
    } as unknown as QuickReadsOptions['services'];
    addQuickReads({ server } as unknown as FastifyInstance, {
      ...{ services, logger: createLogger('silent'), onAnswered: () => {} },
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    assert.equal((await ask(`http://127.0.0.1:${port}/v1/book?seriesId=A`)).status, status);
  });
}
