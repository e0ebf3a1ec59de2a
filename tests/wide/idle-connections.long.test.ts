/** Ten thousand idle keep-alive connections. */

// @seconds 9

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { pricedVenue } from '../../packages/exchange/test/support.ts';

const CONNECTIONS = 10_000;
/** Opened in parallel, few enough that the listener's queue does not overflow. */
const BATCH = 200;
const BYTES_EACH_MAX = 32 * 1024;

if (process.send !== undefined && process.argv[2] !== undefined) {
  await openAll(Number(process.argv[2]));
} else {
  test('ten thousand idle connections cost some memory and do not affect others (HTTP-8)', async (t) => {
    const venue = await pricedVenue();
    t.after(() => venue.exchange.stop());
    const before = rss();
    const client = fork(import.meta.filename, [new URL(venue.url).port]);
    t.after(() => client.kill('SIGKILL'));
    const [count] = await once(client, 'message');
    assert.equal(count, CONNECTIONS);
    const each = (rss() - before) / CONNECTIONS;
    assert.ok(each < BYTES_EACH_MAX, `${each} bytes a connection`);
    const beganMs = performance.now();
    for (let i = 0; i < 50; i++) assert.equal((await venue.get('/healthz')).status, 200);
    const answerMs = (performance.now() - beganMs) / 50;
    t.diagnostic(`${Math.round(each)} bytes a connection, ${answerMs.toFixed(1)} ms an answer beside them`);
    // Each of them is still served.
    client.send('ask');
    const [answered] = await once(client, 'message');
    assert.equal(answered, CONNECTIONS);
  });
}

function rss(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

async function openAll(port: number): Promise<void> {
  const sockets = [];
  for (let from = 0; from < CONNECTIONS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, () => connect(port, '127.0.0.1'));
    await Promise.all(batch.map((socket) => askOn(socket)));
    sockets.push(...batch);
  }
  process.send!(sockets.length);
  await once(process, 'message');
  let answered = 0;
  for (let from = 0; from < CONNECTIONS; from += BATCH)
    for (const one of await Promise.all(sockets.slice(from, from + BATCH).map(askOn))) answered += one;
  process.send!(answered);
}

/** Sends one request with a small answer, and keeps the connection open. */
async function askOn(socket: ReturnType<typeof connect>): Promise<number> {
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  const [bytes] = await once(socket, 'data');
  return Number(String(bytes).startsWith('HTTP/1.1 200'));
}
