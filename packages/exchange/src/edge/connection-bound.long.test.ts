// @seconds 13

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FEED_TOKEN, signIn, Venue, waitFor } from '../../test/support.ts';
import { boundConnections } from './connection-bound.ts';

const PROGRAM = fileURLToPath(new URL('../../test/program.ts', import.meta.url));
const HEAP_MIB = 96;
const CONNECTIONS = 10;
const SENT_BYTES = 61 * 1_024;
/** Two requests, and how the answer to each begins. */
const SERIES = '/v1/series?symbol=BTC';
const TAPE = '/v1/tape?symbol=BTC';
const BEGINNINGS = new Map([
  [SERIES, '{"series":['],
  [TAPE, '{"symbol":"BTC","fills":['],
]);

describe('a connection that asks and does not read (HTTP-5)', () => {
  let child: ChildProcess;
  let venue: Venue;
  let seriesId: string;
  const folder = mkdtempSync(join(tmpdir(), 'venue-bound-'));
  before(async () => {
    child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, PROGRAM], {
      env: {
        VENUE_PORT: '0',
        VENUE_LOG_LEVEL: 'warn',
        VENUE_LOG: `sqlite:${folder}/venue.db`,
        VENUE_FEED_TOKEN: FEED_TOKEN,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout!.setEncoding('utf8'), 'data');
    venue = new Venue(/http:\S+/.exec(line)![0]);
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    ({ seriesId } = await venue.listed('BTC'));
  });
  after(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });

  const open = () => connect(Number(new URL(venue.url).port), '127.0.0.1');

  it('costs little time and memory, delays nobody else, and gets every answer in order once it reads', async () => {
    const paths = pathsOf(SENT_BYTES);
    const before = usageOf(child.pid!);
    const sockets = Array.from({ length: CONNECTIONS }, () => open().pause());
    for (const socket of sockets) socket.write(paths.map(get).join(''));
    for (let i = 0; i < 20; i++) {
      assert.equal((await venue.get(`/v1/book?seriesId=${seriesId}`)).status, 200);
      await sleep(20);
    }
    const { mainThreadMs, residentMib } = usageOf(child.pid!);
    assert.ok(mainThreadMs - before.mainThreadMs < 1_500, `${mainThreadMs - before.mainThreadMs} ms`);
    assert.ok(residentMib - before.residentMib < 120, `${residentMib - before.residentMib} MiB`);
    const [reader, ...others] = sockets;
    for (const socket of others) socket.destroy();
    const bodies = await bodiesOn(reader!, paths.length);
    assert.deepEqual(
      bodies.map((body) => [...BEGINNINGS].find(([, beginning]) => body.startsWith(beginning))?.[0]),
      paths,
    );
    reader!.write(get(TAPE));
    assert.equal((await bodiesOn(reader!, 1)).length, 1);
    reader!.destroy();
  });

  it('has its writes carried out and answered in order, and one that comes in two pieces after them', async () => {
    const { token } = await signIn(venue);
    const order = JSON.stringify({ seriesId, side: 'buy', qty: 0.001, price: 1 });
    const posted = [
      'POST /v1/order HTTP/1.1\r\nhost: venue\r\ncontent-type: application/json',
      `x-paper-token: ${token}\r\ncontent-length: ${order.length}\r\n\r\n${order}`,
    ].join('\r\n');
    const socket = open();
    const count = 60;
    socket.write(posted.repeat(count) + posted.slice(0, -10));
    await sleep(50);
    socket.write(posted.slice(-10));
    const ids = (await bodiesOn(socket, count + 1)).map((body) => JSON.parse(body).orderId as number);
    assert.deepEqual(
      ids,
      ids.map((_, i) => ids[0]! + i),
    );
    socket.destroy();
  });
});

/** In an order that a defect would not repeat by chance. */
function pathsOf(bytes: number): string[] {
  const paths: string[] = [];
  for (let i = 0, length = 0; length < bytes; i++) {
    const path = (i * i) % 7 < 1 ? SERIES : TAPE;
    paths.push(path);
    length += get(path).length;
  }
  return paths;
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: venue\r\n\r\n`;
}

/** The bodies of the next answers on a connection. */
async function bodiesOn(socket: Socket, count: number): Promise<string[]> {
  const bodies: string[] = [];
  let rest = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (;;) {
      const head = rest.indexOf('\r\n\r\n');
      const length =
        head < 0 ? undefined : /content-length: (\d+)/i.exec(rest.toString('latin1', 0, head))?.[1];
      if (length === undefined || rest.length < head + 4 + Number(length)) break;
      bodies.push(rest.toString('utf8', head + 4, head + 4 + Number(length)));
      rest = rest.subarray(head + 4 + Number(length));
    }
    if (bodies.length === count) return bodies;
  }
  throw new Error(`hung up after ${bodies.length} answers`);
}

interface Usage {
  readonly mainThreadMs: number;
  readonly residentMib: number;
}

const TICK_MS = 10;

function usageOf(pid: number): Usage {
  const [user, system] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    .split(') ')[1]!
    .split(' ')
    .slice(11, 13);
  const resident = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
  return { mainThreadMs: (Number(user) + Number(system)) * TICK_MS, residentMib: Number(resident) / 1_024 };
}

/** Size of an answer, and how many may be begun before the client has them. */
for (const [bytes, openMax] of [
  [10, 16],
  // The system has buffered part of the first.
  [500_000, 4],
] as const) {
  it(`HTTP-5: of answers of ${bytes} bytes no more than ${openMax} are begun before the client has them`, async (t) => {
    let open = 0;
    let most = 0;
    let began = 0;
    const server = createServer((request, response) => {
      began += 1;
      open += 1;
      most = Math.max(most, open);
      response.on('close', () => (open -= 1));
      request.resume();
      response.writeHead(200, { 'content-length': bytes });
      response.end(String(began).padEnd(bytes, '.'));
    });
    boundConnections(server);
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    const count = 200;
    socket.write(get('/').repeat(count));
    await waitFor(async () => most || undefined);
    await sleep(100);
    if (bytes > 10) assert.ok(began < count, `${began} of ${count} begun`);
    const bodies = await bodiesOn(socket, count);
    assert.deepEqual(
      bodies.map((body) => Number.parseInt(body, 10)),
      bodies.map((_, i) => i + 1),
    );
    assert.ok(most <= openMax, `${most} at once`);
    socket.destroy();
  });
}

it('HTTP-5: of requests with bodies, too, at most 16 are begun in a turn, and 64 that waited on all connections', async (t) => {
  let begun = 0;
  let answered = 0;
  const turns: number[] = [];
  const endTurn = () => {
    turns.push(begun);
    begun = 0;
    if (answered < 6 * 100) setImmediate(endTurn);
  };
  const server = createServer((request, response) => {
    begun += 1;
    request.resume().on('end', () => {
      answered += 1;
      response.end('{}');
    });
  });
  boundConnections(server);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 6 }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  endTurn();
  const post = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}';
  sockets[0]!.write(post.repeat(100));
  assert.equal((await bodiesOn(sockets[0]!, 100)).length, 100);
  assert.ok(Math.max(...turns) <= 16, `${Math.max(...turns)}`);
  turns.length = 0;
  for (const socket of sockets.slice(1)) socket.write(post.repeat(100));
  for (const socket of sockets.slice(1)) assert.equal((await bodiesOn(socket, 100)).length, 100);
  // The first sixteen of each do not wait.
  assert.ok(Math.max(...turns) <= 64 + 16 * 5, `${Math.max(...turns)}`);
  for (const socket of sockets) socket.destroy();
});

it('HTTP-5: a client that has requests waiting and reads nothing is cut off; one whose answers are late is not', async (t) => {
  const stalledMs = 200;
  const server = createServer((request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(8 * 1_048_576));
    else setTimeout(() => response.end('late'), 5 * stalledMs);
  });
  boundConnections(server, { stalledMs });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const stalled = connect(port, '127.0.0.1')
    .on('error', () => {})
    .pause();
  stalled.write(get('/large').repeat(20));
  const [held] = (await accepted) as [Socket];
  const patient = connect(port, '127.0.0.1');
  patient.write(get('/late').repeat(20));
  await waitFor(async () => held.destroyed || undefined);
  stalled.destroy();
  assert.equal((await bodiesOn(patient, 20)).length, 20);
  patient.destroy();
});
