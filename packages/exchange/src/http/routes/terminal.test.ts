import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { type LocalVenue, startVenue } from '../../../test/support.ts';
import { loadConfig } from '../../config.ts';

const START = '<!doctype html><script type="module" src="/assets/index-1.js"></script>';
const SCRIPT = `export const text = '${'venue '.repeat(500)}';`;

describe('the terminal (FINE-2)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-pages-'));
  let venue: LocalVenue;
  before(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), START);
    writeFileSync(join(folder, 'secret.txt'), 'outside assets');
    writeFileSync(join(folder, 'assets', 'index-1.js'), SCRIPT);
    writeFileSync(join(folder, 'assets', 'gone-1.js'), SCRIPT);
    writeFileSync(join(folder, 'assets', 'manifest.webmanifest'), '{"name":"Venue"}');
    writeFileSync(join(folder, 'assets', 'service-worker.js'), SCRIPT);
    writeFileSync(join(folder, 'assets', 'notes.md'), 'of a type that is not served');
    writeFileSync(join(folder, 'deployed.json'), '{"vault":"0x1"}');
    venue = await startVenue({
      VENUE_TERMINAL: folder,
      VENUE_TERMINAL_VAULT: join(folder, 'deployed.json'),
    });
  });
  after(async () => {
    await venue.exchange.stop();
    rmSync(folder, { recursive: true });
  });

  const ask = (path: string, headers: Record<string, string> = {}) => fetch(venue.url + path, { headers });

  it('is at /, calls only this origin and cannot be framed', async () => {
    const answer = await ask('/');
    assert.deepEqual([answer.status, await answer.text()], [200, START]);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
    const policy = answer.headers.get('content-security-policy')!;
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "font-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.includes(part), part);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  });

  it('has its scripts at /assets, cached for as long as their names are the same', async () => {
    const answer = await ask('/assets/index-1.js');
    assert.deepEqual([answer.status, await answer.text()], [200, SCRIPT]);
    assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.match(answer.headers.get('cache-control')!, /immutable/);
  });

  it('has its manifest at /assets too, revalidated each time (INST-1)', async () => {
    const answer = await ask('/assets/manifest.webmanifest');
    assert.deepEqual([answer.status, await answer.json()], [200, { name: 'Venue' }]);
    assert.equal(answer.headers.get('content-type'), 'application/manifest+json; charset=utf-8');
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
  });

  it('has a service worker that may serve / and ask this origin alone, unless it is switched off (INST-2)', async () => {
    const { status, headers } = await ask('/assets/service-worker.js');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'no-cache');
    assert.equal(headers.get('service-worker-allowed'), '/');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; connect-src 'self'");
    const off = await startVenue({ VENUE_TERMINAL: folder, VENUE_TERMINAL_OFFLINE: 'off' });
    const answer = await fetch(`${off.url}/assets/service-worker.js`);
    assert.equal(answer.status, 404);
    await off.exchange.stop();
  });

  it('PUSH-2 says where push is reached and lets the page ask there, and nothing without it', async () => {
    assert.equal((await ask('/assets/push.json')).status, 404);
    const pushed = await startVenue({ VENUE_TERMINAL: folder, VENUE_PUSH_URL: 'http://127.0.0.1:8085/push' });
    const answer = await fetch(`${pushed.url}/assets/push.json`);
    assert.deepEqual([answer.status, await answer.json()], [200, { url: 'http://127.0.0.1:8085/push' }]);
    const policy = (await fetch(pushed.url)).headers.get('content-security-policy')!;
    assert.match(policy, /connect-src 'self' http:\/\/127\.0\.0\.1:8085;/);
    await pushed.exchange.stop();
  });

  it('no longer serves scripts of older pages', async () => {
    rmSync(join(folder, 'assets', 'gone-1.js'));
    const answer = await ask('/assets/gone-1.js');
    assert.deepEqual([answer.status, await answer.json()], [404, { error: 'not found' }]);
  });

  it('says where the vault is, and reads that again each time', async () => {
    const answer = await ask('/assets/vault.json');
    assert.deepEqual([answer.status, await answer.json()], [200, { vault: '0x1' }]);
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
    assert.throws(() => loadConfig({ VENUE_TERMINAL: folder, VENUE_TERMINAL_VAULT: join(folder, 'none') }), {
      message: /^VENUE_TERMINAL_VAULT must be a file that venue vault deploy wrote, not /,
    });
  });

  it('compresses for clients that accept it, and tags both forms differently', async () => {
    const sent = async (encodings: string) => {
      // The bytes on the wire, which fetch does not show.
      const asked = request(`${venue.url}/assets/index-1.js`, {
        headers: { 'accept-encoding': encodings },
      }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      const { 'content-encoding': encoding, etag } = answer.headers;
      return { encoding, etag, body: await buffer(answer) };
    };
    const plain = await sent('identity');
    for (const encodings of ['br', 'gzip, deflate, br', 'br;q=0.5, gzip']) {
      const { encoding, etag, body } = await sent(encodings);
      assert.equal(encoding, 'br', encodings);
      assert.notEqual(etag, plain.etag);
      assert.equal(brotliDecompressSync(body).toString(), SCRIPT);
    }
    for (const encodings of ['gzip', 'br;q=0', 'brr', '']) {
      const { encoding, body } = await sent(encodings);
      assert.equal(encoding, undefined, encodings);
      assert.equal(body.toString(), SCRIPT);
    }
  });

  for (const path of [
    '/assets',
    '/assets/',
    '/assets/none.js',
    '/assets/notes.md',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e/secret.txt',
    '/secret.txt',
    '/index.html',
    '/admin',
  ]) {
    it(`answers 404 in JSON for ${path}`, async () => {
      const answer = await ask(path);
      assert.deepEqual([answer.status, await answer.json()], [404, { error: 'not found' }]);
    });
  }

  /** Targets that `fetch` never sends: a router that skips the first character takes `*` for `/`. */
  const targets = [
    '*',
    '*?x=/',
    '*assets/index-1.js',
    '*v1/meta',
    'http://venue/',
    'http://venue/assets/index-1.js',
    'http://venue/v1/meta',
    'venue://',
    '//',
    '//venue/',
    '/%2f',
    '/%',
    '/%00',
    '/.',
    '/./',
    '/..',
    '/;',
    '/\\',
    '/#',
  ];
  for (const target of targets) {
    it(`answers JSON, and nothing of the terminal, to GET ${target}`, async () => {
      const [head, body] = (await answerTo(`GET ${target} HTTP/1.1`)).split('\r\n\r\n');
      assert.match(head!, /^HTTP\/1\.1 40[04] /);
      assert.match(head!, /^content-type: application\/json/im);
      assert.match(body!, /^\{"error":"(not found|malformed request)"\}$/);
    });
  }

  for (const target of ['*', '/', 'http://venue/']) {
    it(`answers the preflight OPTIONS ${target} with 204 and no body`, async () => {
      const [head, body] = (await answerTo(`OPTIONS ${target} HTTP/1.1`)).split('\r\n\r\n');
      assert.match(head!, /^HTTP\/1\.1 204 /);
      assert.equal(body, '');
    });
  }

  it('answers HEAD * and POST * with 404 too', async () => {
    for (const method of ['HEAD', 'POST', 'PUT'])
      assert.match(await answerTo(`${method} * HTTP/1.1`), /^HTTP\/1\.1 404 /);
  });

  /** Sends a verbatim request. */
  function answerTo(requestLine: string): Promise<string> {
    const socket = connect(Number(new URL(venue.url).port), '127.0.0.1');
    socket.write(`${requestLine}\r\nhost: venue\r\nconnection: close\r\n\r\n`);
    return text(socket);
  }

  it('is refused at the start if there are no pages', () => {
    assert.throws(() => loadConfig({ VENUE_TERMINAL: tmpdir() }), {
      name: 'ConfigError',
      message:
        /^VENUE_TERMINAL must be a folder with the pages of the terminal \(npm run terminal\), or off, not /,
    });
    assert.equal(loadConfig({}).terminal, null);
    assert.equal(loadConfig({ VENUE_TERMINAL: 'off' }).terminal, null);
  });
});
