/** A process that sends each connection a tick's bytes in one write at its planned time, and does nothing else. */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedMs, TICK_MS } from './plan.ts';

export type BareOrder =
  | { readonly do: 'listen' }
  /** Answered immediately, before the first tick. */
  | { readonly do: 'send'; readonly startMs: number; readonly ticks: readonly Buffer[] };

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';

const sockets: Socket[] = [];
const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.once('data', () => {
    socket.write(SWITCH);
    sockets.push(socket);
  });
  socket.on('error', () => {});
});

async function sendAll({ startMs, ticks }: BareOrder & { do: 'send' }): Promise<void> {
  for (const [i, bytes] of ticks.entries()) {
    await sleep(Math.max(0, startMs + i * TICK_MS - sharedMs()));
    for (const socket of sockets) socket.write(bytes);
  }
}

process.on('message', (order: BareOrder) => {
  if (order.do === 'send') {
    sendAll(order);
    process.send!({});
    return;
  }
  server.listen(0, '127.0.0.1', () => {
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});
process.once('disconnect', () => process.exit());
