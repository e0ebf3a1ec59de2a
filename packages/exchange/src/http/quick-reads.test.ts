import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type LocalVenue, pricedVenue } from '../../test/support.ts';

interface Plain {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<Plain> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
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
