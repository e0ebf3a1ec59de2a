/** A process that sends each connection the bytes of a move in one write at the planned moment, and does nothing else. */

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveBare } from '../shared/bare-server.ts';
import { sharedMs } from '../streams/plan.ts';
import { booksOf, MOVE_MS, qtyOf } from './plan.ts';

/** The messages of one move: those of the books, and that of the chain. */
interface Send {
  readonly do: 'send';
  readonly startMs: number;
  readonly moves: number;
  readonly books: readonly Buffer[];
  readonly chain: Buffer;
}

export type BareOrder = { readonly do: 'listen' } | Send;

const END = ']]}';

async function sendAll({ startMs, moves, books, chain }: Send, sockets: readonly Socket[]): Promise<void> {
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

serveBare(sendAll);
