import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { VenueError, VenueUnreachableError } from './errors.ts';
import { isHeaderText, Transport, venueUrlFault } from './transport.ts';

async function listen(handler: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('a request carries query, headers and a JSON body, and answers the JSON of a 2xx', async () => {
  const seen: unknown[] = [];
  const { url, server } = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push([
      request.method,
      request.url,
      request.headers['content-type'],
      request.headers['x-token'],
      body,
    ]);
    response.end('{"ok":true}');
  });
  const transport = new Transport({ url: `${url}/` });
  const headers = { 'x-token': 't' };
  assert.deepEqual(await transport.get('/a', { query: { symbol: 'A&B', n: 1 }, headers }), { ok: true });
  assert.deepEqual(await transport.post('/b', { x: 1 }), { ok: true });
  assert.deepEqual(seen, [
    ['GET', '/a?symbol=A%26B&n=1', undefined, 't', ''],
    ['POST', '/b', 'application/json', undefined, '{"x":1}'],
  ]);
  server.close();
});

test('a refusal is a VenueError with the status and the text of the venue', async () => {
  const { url, server } = await listen((request, response) => {
    response.statusCode = request.url === '/json' ? 401 : 502;
    response.end(request.url === '/json' ? '{"error":"bad signature"}' : '<html>bad gateway</html>');
  });
  const transport = new Transport({ url });
  const refusal = async (path: string) => {
    const error = await transport.get(path).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof VenueError);
    return [error.status, error.message];
  };
  assert.deepEqual(await refusal('/json'), [401, 'bad signature']);
  assert.deepEqual(await refusal('/html'), [502, 'HTTP 502']);
  server.close();
});

test('no answer is a VenueUnreachableError: refused, or too late', async () => {
  const { url, server } = await listen(() => {});
  await assert.rejects(new Transport({ url, timeoutMs: 50 }).get('/slow'), VenueUnreachableError);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(new Transport({ url }).get('/gone'), /ECONNREFUSED/);
});

test('CRED-1: a header that cannot be sent is named, and its value is in nothing that is thrown', async () => {
  const { url, server } = await listen((_, response) => response.end('{}'));
  for (const value of ['s3cret\nvalue', 's3cret\0value', 's3cret→value']) {
    const error = await new Transport({ url })
      .get('/', { headers: { 'x-operator-token': value } })
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof TypeError);
    assert.match(error.message, /^the header x-operator-token cannot be sent/);
    assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /s3cret/);
  }
  server.close();
});

test('CRED-1: a secret is printable ASCII without spaces', () => {
  assert.equal(isHeaderText('aZ09!~'), true);
  for (const text of ['', 'a b', 'a\n', 'a\u007f', 'é', '\ta']) assert.equal(isHeaderText(text), false, text);
});

test('CRED-1: an address with a user or a password is none, and is not repeated', () => {
  for (const text of ['http://ann:s3cret@venue', 'https://ann@venue', 'ann:s3cret@venue']) {
    assert.equal(venueUrlFault(text), 'must be an http address without user and password');
    assert.throws(() => new Transport({ url: text }), /^TypeError: (?!.*s3cret)/);
  }
  assert.equal(venueUrlFault('venue'), 'must be an http address, not "venue"');
  assert.equal(venueUrlFault('https://venue/api'), null);
});
