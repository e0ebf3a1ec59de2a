import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { VenueClient } from '../client/client.ts';
import { DamagedFileError, NotFoundError } from '../net/errors.ts';
import type { DailyFile } from './files.ts';

const DAY = '2026-11-24';
const CONTENT = Buffer.alloc(5_000_000, 'venue');
const FILE: DailyFile = { name: 'trades.csv', bytes: CONTENT.length, sha256: hash('sha256', CONTENT) };

async function served(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<VenueClient> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  await once(server, 'listening');
  return new VenueClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function sendPart(content: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
  const [from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range!)!.slice(1).map(Number);
  response.writeHead(206).end(content.subarray(from, to! + 1));
}

const bytesOf = async (venue: VenueClient, file = FILE) =>
  Buffer.concat(await Array.fromAsync(venue.files.download(DAY, file)));

test('FIL-1: a file comes in parts, and one that is lost is asked for again', async (t) => {
  const paths: string[] = [];
  const venue = await served(t, (request, response) => {
    paths.push(`${request.url} ${request.headers.range}`);
    if (paths.length === 2) response.socket!.destroy();
    else sendPart(CONTENT, request, response);
  });
  assert.deepEqual(await bytesOf(venue), CONTENT);
  const part = (range: string) => `/files/${DAY}/trades.csv bytes=${range}`;
  const [second, third] = [part('2097152-4194303'), part('4194304-4999999')];
  assert.deepEqual(paths, [part('0-2097151'), second, second, third]);
});

test('FIL-1: bytes that are not those of the hash, or too few of them, are refused', async (t) => {
  const other = Buffer.from(CONTENT);
  other[4_999_999]! ^= 1;
  const changed = await served(t, (request, response) => sendPart(other, request, response));
  await assert.rejects(bytesOf(changed), DamagedFileError);
  const short = await served(t, (request, response) => sendPart(CONTENT.subarray(0, 9), request, response));
  await assert.rejects(bytesOf(short), /has 9 bytes from 0 on, and not 2097152/);
});

test('FIL-1: the days are those of the index', async (t) => {
  const days = [{ day: DAY, files: [FILE] }];
  const venue = await served(t, ({ url }, response) => {
    if (url === '/files/index.json') response.end(JSON.stringify({ days }));
    else response.writeHead(404).end('{"error":"not found"}');
  });
  assert.deepEqual(await venue.files.days(), days);
  await assert.rejects(bytesOf(venue), NotFoundError);
});
