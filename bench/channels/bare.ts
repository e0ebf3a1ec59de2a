/** A process that sends each connection the bytes of a move in one write at the planned moment, and does nothing else. */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedMs } from '../streams/plan.ts';
import { booksOf, MOVE_MS, qtyOf } from './plan.ts';

export type BareOrder =
  | { readonly do: 'listen' }
  /** The messages of one move: those of the books, and that of the chain. Answered before the first move. */
  | {
      readonly do: 'send';
      readonly startMs: number;
      readonly moves: number;
      readonly books: readonly Buffer[];
      readonly chain: Buffer;
    };

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';

const END = ']]}';

const sockets: Socket[] = [];
const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.once('data', () => {
    socket.write(SWITCH);
    sockets.push(socket);
  });
  socket.on('error', () => {});
});

async function sendAll({ startMs, moves, books, chain }: BareOrder & { do: 'send' }): Promise<void> {
  const kinds = books.map((_, i) => Buffer.concat(booksOf(i, books.length).map((place) => books[place]!)));
  const marks = kinds.map(marksOf);
  for (let move = 0; move < moves; move++) {
    for (const [i, kind] of kinds.entries()) for (const at of marks[i]!) kind.write(String(qtyOf(move)), at);
    await sleep(Math.max(0, startMs + move * MOVE_MS - sharedMs()));
    for (const [i, socket] of sockets.entries()) {
      socket.cork();
      socket.write(kinds[i % kinds.length]!);
      socket.write(chain);
      socket.uncork();
    }
  }
}

/** Offsets of the last quantity in each message; its three digits identify the move. */
function marksOf(messages: Buffer): number[] {
  const marks: number[] = [];
  for (let at = messages.indexOf(END); at >= 0; at = messages.indexOf(END, at + 1)) marks.push(at - 3);
  return marks;
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
