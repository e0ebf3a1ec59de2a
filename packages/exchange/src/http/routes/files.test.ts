import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { DAY, listed, nextDay } from '../../../test/finished-day.ts';
import { type LocalVenue, waitFor } from '../../../test/support.ts';

interface Sent {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The bytes on the wire, with a path as it is written. */
async function send(venue: LocalVenue, path: string, headers = {}, method = 'GET'): Promise<Sent> {
  const { hostname, port } = new URL(venue.url);
  const asked = request({ hostname, port, path, method, headers }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

describe('/files/ (FIL-2)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-served-'));

  let venue: LocalVenue;
  let lines: readonly string[];
  let files: string;
  const path = `/files/${DAY}/candles-1m.csv`;
  before(async () => {
    ({ venue, lines, files } = await nextDay(folder));
  });
  after(async () => {
    await venue.exchange.stop();
    rmSync(folder, { recursive: true });
  });

  it('lists the finished days, with size and hash of each file', async () => {
    const [day, ...others] = await listed(venue);
    assert.deepEqual([day!.day, others], [DAY, []]);
    assert.equal(day!.files.length, 7);
    for (const { name, bytes, sha256 } of day!.files) {
      const { status, body, headers } = await send(venue, `/files/${DAY}/${name}`);
      assert.deepEqual([status, body.length, hash('sha256', body)], [200, bytes, sha256]);
      assert.equal(headers.etag, `"${sha256}"`);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cache-control'], 'public, max-age=3600');
    }
  });

  it('names the type of each file', async () => {
    const typeOf = async (name: string) =>
      (await send(venue, `/files/${DAY}/${name}`)).headers['content-type'];
    assert.equal(await typeOf('trades.csv'), 'text/csv; charset=utf-8');
    assert.equal(await typeOf('trades.parquet'), 'application/vnd.apache.parquet');
    assert.equal(await typeOf('SHA256SUMS'), 'text/plain; charset=utf-8');
  });

  it('sends a part to a client that asks for one, and says of a part that is not there how long the file is', async () => {
    const { body: whole, headers } = await send(venue, path);
    assert.equal(headers['accept-ranges'], 'bytes');
    const part = await send(venue, path, { range: 'bytes=5-24' });
    assert.equal(part.status, 206);
    assert.equal(part.headers['content-range'], `bytes 5-24/${whole.length}`);
    assert.deepEqual(part.body, whole.subarray(5, 25));
    const beyond = await send(venue, path, { range: `bytes=${whole.length}-` });
    assert.deepEqual([beyond.status, beyond.body.length], [416, 0]);
    assert.equal(beyond.headers['content-range'], `bytes */${whole.length}`);
  });

  it('sends the part only of the file that a client knows', async () => {
    const { etag } = (await send(venue, path)).headers;
    const range = 'bytes=0-0';
    assert.equal((await send(venue, path, { range, 'if-range': etag })).status, 206);
    assert.equal((await send(venue, path, { range, 'if-range': '"other"' })).status, 200);
  });

  it('sends nothing to a client that has it', async () => {
    for (const one of [path, '/files/index.json']) {
      const { etag } = (await send(venue, one)).headers;
      const again = await send(venue, one, { 'if-none-match': etag });
      assert.deepEqual([again.status, again.body.length], [304, 0]);
    }
  });

  it('answers HEAD with the headers alone, as readers of Parquet ask for the length', async () => {
    const { headers, body } = await send(venue, path);
    const head = await send(venue, path, {}, 'HEAD');
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    assert.equal(head.headers['content-length'], String(body.length));
    assert.equal(head.headers.etag, headers.etag);
    assert.equal((await send(venue, '/files/index.json', {}, 'HEAD')).status, 200);
  });

  it('answers requests in a row on one connection, parts among them', async () => {
    const { body } = await send(venue, path);
    const { hostname, port } = new URL(venue.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const ask = (close: string) =>
      `GET ${path} HTTP/1.1\r\nhost: venue\r\nrange: bytes=3-12\r\nconnection: ${close}\r\n\r\n`;
    socket.write(ask('keep-alive').repeat(40) + ask('close'));
    const answers = (await buffer(socket)).toString();
    const parts = answers.split('\r\n\r\n').slice(1);
    assert.equal(parts.length, 41);
    for (const part of parts) assert.ok(part.startsWith(body.subarray(3, 13).toString()));
  });

  for (const outside of [
    '/files',
    '/files/',
    `/files/${DAY}`,
    `/files/${DAY}/`,
    `/files/${DAY}/.anchor`,
    `/files/${DAY}/none.csv`,
    '/files/2026-02-30/trades.csv',
    '/files/2026-03-03/trades.csv',
    '/files/../history.db',
    '/files/..%2fhistory.db',
    '/files/%2e%2e/history.db',
    '/files/..%5chistory.db',
    `/files/${DAY}/..%2f..%2fhistory.db`,
    `/files/${DAY}/%2e%2e%2f%2e%2e%2fhistory.db`,
    `/files/${DAY}%2f..%2f${DAY}/trades.csv`,
    `/files/${DAY}/trades.csv%00`,
    `/files/${DAY}/%252e%252e%252fhistory.db`,
    `/files/${DAY}/./trades.csv`,
    `//files/${DAY}/trades.csv`,
    `/files/__proto__/trades.csv`,
    `/files/${DAY}/constructor`,
  ])
    it(`answers 404 in JSON for ${outside}`, async () => {
      const { status, body } = await send(venue, outside);
      assert.deepEqual([status, body.toString()], [404, '{"error":"not found"}']);
    });

  it('serves no link, even one that was put there while it runs, and makes the day again at once', async () => {
    const place = join(files, DAY, 'trades.csv');
    const secret = join(folder, 'secret');
    writeFileSync(secret, readFileSync(place));
    rmSync(place);
    symlinkSync(secret, place);
    assert.equal((await send(venue, `/files/${DAY}/trades.csv`)).status, 404);
    assert.deepEqual(await listed(venue), []);
    assert.match(lines.at(-1)!, /were changed or removed/);
    await waitFor(async () => (await listed(venue))[0]);
    assert.equal((await send(venue, `/files/${DAY}/trades.csv`)).status, 200);
  });

  it('serves no file that was changed since it was checked', async () => {
    const place = join(files, DAY, 'candles-1m.csv');
    const text = readFileSync(place, 'utf8');
    writeFileSync(place, text.replace('100000', '100001'));
    assert.equal((await send(venue, path)).status, 404);
    await waitFor(async () => (await listed(venue))[0]);
    assert.equal((await send(venue, path)).body.toString(), text);
  });
});
