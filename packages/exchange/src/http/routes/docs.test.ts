import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { CONTRACT_FILE } from '../../../test/contract/document.ts';
import { DEPOSITS, type LocalVenue, startVenue } from '../../../test/support.ts';

const PATHS = [
  '/docs',
  '/docs/start.js',
  '/docs/swagger-ui.js',
  '/docs/swagger-ui.css',
  '/docs/favicon.png',
  '/openapi.yaml',
  '/openapi.json',
  '/asyncapi.yaml',
  '/asyncapi.json',
  '/vectors.json',
  '/llms.txt',
  '/skill.md',
];

describe('the reference', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await startVenue();
  });
  after(() => venue.exchange.stop());

  const ask = (path: string, init?: RequestInit) => fetch(venue.url + path, init);

  it('is a page whose scripts and styles all come from this server', async () => {
    const page = await ask('/docs');
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const html = await page.text();
    const named = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path!);
    assert.deepEqual(
      named.filter((path) => !PATHS.includes(path)),
      [],
    );
    assert.ok(named.length >= 4);
    assert.doesNotMatch(html, /<script>|<style| on\w+="| style="/, 'nothing inline');
    for (const path of named) assert.equal((await ask(path)).status, 200, path);
  });

  it('lets the page call only this origin, and lets nobody frame it', async () => {
    const policy = (await ask('/docs')).headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /connect-src 'self'(;|$)/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  });

  it('keeps no token: not in storage, not in the address', async () => {
    const start = await (await ask('/docs/start.js')).text();
    assert.match(start, /persistAuthorization: false/);
    assert.match(start, /queryConfigEnabled: false/);
    assert.match(start, /validatorUrl: null/);
  });

  it('serves the committed contracts, verbatim and as JSON', async () => {
    for (const name of ['openapi', 'asyncapi']) {
      const committed = readFileSync(new URL(`${name}.yaml`, CONTRACT_FILE), 'utf8');
      assert.equal(await (await ask(`/${name}.yaml`)).text(), committed);
      assert.deepEqual(await (await ask(`/${name}.json`)).json(), parse(committed));
    }
  });

  it('serves the vectors of every signed text (SIG-2)', async () => {
    const vectors = new URL('../../../../protocol/vectors/envelopes.json', import.meta.url);
    assert.equal(await (await ask('/vectors.json')).text(), readFileSync(vectors, 'utf8'));
  });

  it('serves agents a list of pages, each of which is there, and how to trade (FINE-2)', async () => {
    for (const [path, type] of [
      ['/llms.txt', 'text/plain; charset=utf-8'],
      ['/skill.md', 'text/markdown; charset=utf-8'],
    ] as const) {
      const answer = await ask(path);
      assert.equal(answer.headers.get('content-type'), type);
      const text = await answer.text();
      assert.equal(text, readFileSync(new URL(`../../../../..${path}`, import.meta.url), 'utf8'));
      const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!);
      assert.ok(links.length > 3);
      for (const link of links) assert.equal((await ask(`/${link}`)).status, 200, link);
    }
    const page = await ask('/docs/reference/decisions/README.md');
    assert.equal(page.headers.get('content-type'), 'text/markdown; charset=utf-8');
  });

  for (const path of PATHS) {
    it(`${path} is not sent again to a client that has it`, async () => {
      const first = await ask(path);
      assert.equal(first.status, 200);
      const etag = first.headers.get('etag') ?? assert.fail('no tag');
      assert.equal(first.headers.get('cache-control'), 'no-cache');
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await ask(path, { headers: { 'if-none-match': known } });
        assert.deepEqual([again.status, await again.text()], [304, ''], known);
        assert.equal(again.headers.get('etag'), etag);
      }
      const other = await ask(path, { headers: { 'if-none-match': '"other"' } });
      assert.equal(other.status, 200);
      assert.ok((await other.arrayBuffer()).byteLength > 100);
    });
  }

  it('FINE-2: an unknown file, and another method, are not found', async () => {
    for (const path of [
      '/docs/',
      '/docs/package.json',
      '/docs/..%2Findex.html',
      '/docs/a/b',
      '/docs/tutorials/..%2FREADME.md',
      '/openapi',
    ])
      assert.deepEqual(await seen(await ask(path)), [404, { error: 'not found' }], path);
    for (const path of PATHS)
      assert.deepEqual(await seen(await ask(path, { method: 'POST' })), [404, { error: 'not found' }], path);
  });

  it('HTTP-1: may be read from another origin, and is counted under the pattern of its path', async () => {
    const page = await ask('/openapi.json', { headers: { origin: 'https://elsewhere.example' } });
    assert.equal(page.headers.get('access-control-allow-origin'), '*');
    for (const name of ['no-such-file', 'start.js']) await ask(`/docs/${name}`);
    const metrics = await (await ask('/metrics')).text();
    assert.match(metrics, /route="\/docs\/\{file\}"/);
    assert.doesNotMatch(metrics, /start\.js|no-such-file/);
  });
});

it('the reference of a venue with real money is the same', async () => {
  const venue = await startVenue(DEPOSITS);
  try {
    assert.equal((await fetch(`${venue.url}/docs`)).status, 200);
    const served = await (await fetch(`${venue.url}/openapi.yaml`)).text();
    assert.equal(served, readFileSync(CONTRACT_FILE, 'utf8'));
  } finally {
    await venue.exchange.stop();
  }
});

async function seen(response: Response): Promise<unknown[]> {
  return [response.status, await response.json()];
}
