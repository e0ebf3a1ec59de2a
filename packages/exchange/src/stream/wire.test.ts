import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { FrameBytes } from './wire.ts';

test('WS-1: another client library reads frames of every length, in order', async (t) => {
  const texts = [1, 125, 126, 65_535, 65_536, 300_000].map((length) => 'x'.repeat(length - 1).concat('é'));
  const bodies = texts.map((text) => Buffer.from(text));
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.after(() => server.close());
  server.on('connection', (_, { socket }) => {
    socket.write(new FrameBytes(bodies).bytes);
  });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => client.terminate());
  const received: string[] = [];
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject);
    client.on('message', (data, isBinary) => {
      assert.equal(isBinary, false);
      received.push(String(data));
      if (received.length === texts.length) resolve();
    });
  });
  assert.deepEqual(
    received.map(({ length }) => length),
    texts.map(({ length }) => length),
  );
  assert.deepEqual(received, texts);
});

test('RFC 6455: a length takes no more bytes than it needs', () => {
  const headerBytes = (length: number) => new FrameBytes([Buffer.alloc(length)]).bytes.length - length;
  assert.deepEqual([0, 125, 126, 65_535, 65_536].map(headerBytes), [2, 2, 4, 4, 10]);
});
