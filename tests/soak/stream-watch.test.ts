/** The watch of the soak against a venue whose stream leaves out or repeats a message (STR-2). */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../e2e/launched.ts';
import { StreamWatch } from './stream-watch.ts';

const BOOK = 'book:X-1-C-1';
const FIRST = { channel: BOOK, type: 'snapshot', seq: 1, bids: [], asks: [] };
const NEXT = { channel: BOOK, type: 'delta', prevSeq: 1, seq: 2, bids: [[1, 1]] };
const LAST = { channel: BOOK, type: 'delta', prevSeq: 2, seq: 3, bids: [[2, 1]] };

/** A venue with one series, whose every subscription to its book begins with the same messages. */
async function venueThatSends(messages: readonly object[]) {
  const server = createServer(({ url }, response) => {
    const body = url!.startsWith('/v1/series')
      ? { series: [{ seriesId: 'X-1-C-1', sid: 1, expiryTs: 1, strike: 1, right: 'C' }] }
      : { trades: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const sent: string[] = [];
  let left = messages;
  const answer = (socket: WebSocket, text: string) => {
    const { id, channels = [] } = JSON.parse(text);
    socket.send(JSON.stringify({ id, status: 200, seq: 1, body: {} }));
    if (!channels.includes(BOOK)) return;
    sent.push(BOOK);
    for (const message of left) socket.send(JSON.stringify(message));
    left = [FIRST];
  };
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (data) => answer(socket, String(data))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, stop };
}

for (const [what, messages, gaps] of [
  ['that are all there', [FIRST, NEXT, LAST], []],
  ['of which one is missing', [FIRST, LAST], [BOOK]],
  ['of which one comes twice', [FIRST, NEXT, NEXT], [BOOK]],
] as const)
  test(`STR-2: messages ${what}`, async (t) => {
    const venue = await venueThatSends(messages);
    t.after(() => venue.stop());
    const watch = await StreamWatch.start({ url: venue.url, symbol: 'X', cutEveryMs: 60_000 });
    await eventually('all is sent', () => venue.sent.length === 1 + gaps.length);
    const shown = await watch.stop();
    assert.deepEqual([shown.gaps, shown.reconnects], [gaps, 0]);
  });
