import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { leastCpuMs } from '../../test/least-cpu.ts';
import { type LocalVenue, pricedVenue } from '../../test/support.ts';
import { takes } from '../http/codings.ts';
import { JSON_TYPE } from '../http/route.ts';
import { Compressor } from './compression.ts';

describe('compressed answers (HTTP-9)', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await pricedVenue();
  });
  after(() => venue.exchange.stop());

  const LIKED: readonly (readonly [accepted: string | undefined, coding: string | undefined])[] = [
    [undefined, undefined],
    ['identity', undefined],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['deflate, gzip;q=1.0, *;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0', undefined],
    ['br;q=0.50', 'br'],
    ['br;q=.05', 'br'],
    ['xbr, gzipped', undefined],
  ];
  for (const [accepted, coding] of LIKED) {
    it(`go out as ${coding ?? 'they are'} to a client that accepts ${accepted ?? 'nothing'}`, async () => {
      const plain = await ask('/v1/series?symbol=BTC');
      const answer = await ask('/v1/series?symbol=BTC', accepted);
      assert.equal(answer.headers['content-encoding'], coding);
      assert.equal(answer.headers.vary, 'accept-encoding');
      assert.deepEqual(JSON.parse(decoded(answer)), JSON.parse(decoded(plain)));
      assert.equal(Number(answer.headers['content-length']), answer.bytes.length);
      if (coding !== undefined) assert.ok(answer.bytes.length < plain.bytes.length / 5);
    });
  }

  it('exclude short ones, pages, refusals and writes', async () => {
    for (const path of ['/healthz', '/docs', '/v1/series', '/metrics']) {
      const { headers } = await ask(path, 'gzip');
      assert.equal(headers['content-encoding'], undefined, path);
    }
  });

  async function ask(path: string, accepted?: string) {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${venue.url}${path}`, { headers }, resolve).on('error', reject),
    );
    return { headers: response.headers, bytes: await buffer(response) };
  }

  function decoded({ headers, bytes }: Awaited<ReturnType<typeof ask>>): string {
    const coding = headers['content-encoding'];
    if (coding === undefined) return String(bytes);
    return String(coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes));
  }
});

describe('the compressor', () => {
  const json = { status: 200, contentType: JSON_TYPE, payload: 'x'.repeat(5_000) };
  const asked = (method: string) =>
    ({ method, headers: { 'accept-encoding': 'br' } }) as unknown as IncomingMessage;

  it('takes only reads', () => {
    const compressor = new Compressor();
    assert.equal(compressor.codingFor(asked('GET'), json), 'br');
    assert.equal(compressor.codingFor(asked('POST'), json), null);
    assert.equal(compressor.codingFor(asked('GET'), { ...json, status: 404 }), null);
  });

  it('compresses kept bytes once', async () => {
    const compressor = new Compressor();
    const page = Buffer.from('x'.repeat(5_000));
    const [first, second] = await Promise.all([
      compressor.compress(page, 'br'),
      compressor.compress(page, 'br'),
    ]);
    assert.ok(first !== null && first === second);
    assert.notEqual(await compressor.compress(Buffer.from(page), 'br'), first);
  });

  it('lets at most ten wait; the rest go out uncompressed, and are compressed later', async () => {
    const compressor = new Compressor();
    const pages = Array.from({ length: 30 }, () => Buffer.from('x'.repeat(200_000)));
    const done = await Promise.all(pages.map((page) => compressor.compress(page, 'gzip')));
    assert.ok(done.filter((bytes) => bytes !== null).length <= 10);
    assert.equal(done[29], null);
    assert.notEqual(await compressor.compress(pages[29]!, 'gzip'), null);
  });
});

it('a header that could be read in many ways is read in no time (OWN-39)', () => {
  const fillers = ['1', '0', ' ', 'br ', 'br,', 'br;', ';q=1', 'br;q=.1'];
  for (const filler of fillers)
    for (const begin of ['', 'br;q=.', 'br;q=1.', 'br;q=0.0', 'br'])
      for (const end of ['', 'x', ';q=x']) {
        const header = begin + filler.repeat(16_384 / filler.length) + end;
        const ms = leastCpuMs({ enoughMs: 20, attemptsMax: 20 }, () => takes('br', header));
        assert.ok(ms < 20, `${begin} ${filler} ${end}: ${ms} ms`);
      }
});
