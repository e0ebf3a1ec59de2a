/** A process with thousands of clients, which times every message from the planned moment of its move. */

import { setTimeout as sleep } from 'node:timers/promises';
import { sharedMs } from '../streams/plan.ts';
import { booksOf, LIMIT_MS, MESSAGES, MOVE_MS, moveOfQty } from './plan.ts';
import { ChannelSocket } from './socket.ts';

export type ClientsOrder =
  | {
      readonly do: 'connect';
      readonly url: string;
      readonly count: number;
      readonly isDeflating: boolean;
      /** Names of books and of the chain; none for a server that sends by itself. */
      readonly books: readonly string[];
      readonly chain: string;
    }
  /** `first` is the number of the first move. */
  | { readonly do: 'expect'; readonly startMs: number; readonly moves: number; readonly first: number }
  /** Waits until all has come, or for a time, and reports. */
  | { readonly do: 'settle'; readonly limitMs: number };

export interface ClientsReport {
  readonly messages: number;
  /** Messages that have not come: two moves in one message, or not there yet. */
  readonly missing: number;
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  readonly latePercent: number;
  readonly closed: number;
  readonly cpuMs: number;
}

const CONNECTING = 50;
/** An answer, and a snapshot of each channel. */
const BEFORE = 1 + MESSAGES;
const COUNTED_MS = 60_000;
/** The message of a chain is longer, or compressed. */
const PLAIN = 0x81;
const BOOK_BYTES_MAX = 1_000;
const TAIL_BYTES = 16;

const sockets: ChannelSocket[] = [];
const delays = new Uint32Array(COUNTED_MS + 1);
let isMeasuring = false;
let startMs = 0;
let first = 0;
let moves = 0;
let count = 0;
let bytes = 0;
let longestMs = 0;
let cpuBefore = process.cpuUsage();

function onMessage(frame: Buffer, socket: ChannelSocket): void {
  if (!isMeasuring) return;
  if (frame[0] === PLAIN && frame.length < BOOK_BYTES_MAX) socket.move = moveOf(frame);
  const ms = Math.max(0, sharedMs() - (startMs + (socket.move - first) * MOVE_MS));
  delays[Math.min(COUNTED_MS, Math.ceil(ms))]! += 1;
  longestMs = Math.max(longestMs, ms);
  count += 1;
  bytes += frame.length;
}

/** The move that a message of a book tells of, by its last quantity; that of the chain follows them. */
function moveOf(frame: Buffer): number {
  const text = frame.toString('latin1', frame.length - TAIL_BYTES);
  const qty = Number(/,(\d+)\]\]\}$/.exec(text)?.[1]);
  return moveOfQty(qty, first);
}

async function open(order: ClientsOrder & { do: 'connect' }): Promise<void> {
  const from = sockets.length;
  const { url, isDeflating, books, chain } = order;
  for (let i = 0; i < order.count; i += CONNECTING)
    await Promise.all(
      Array.from({ length: Math.min(CONNECTING, order.count - i) }, async (_, k) => {
        const names = [...booksOf(from + i + k, books.length).map((place) => `book:${books[place]}`), chain];
        const request =
          books.length === 0 ? null : JSON.stringify({ id: 1, op: 'subscribe', channels: names });
        sockets.push(await ChannelSocket.open({ url, isDeflating, request, onMessage }));
      }),
    );
  if (books.length > 0) while (sockets.some(({ messages }) => messages < BEFORE)) await sleep(10);
}

function expect(order: ClientsOrder & { do: 'expect' }): void {
  ({ startMs, moves, first } = order);
  delays.fill(0);
  count = 0;
  bytes = 0;
  longestMs = 0;
  isMeasuring = true;
  cpuBefore = process.cpuUsage();
}

async function settle(limitMs: number): Promise<ClientsReport> {
  const expected = sockets.length * moves * MESSAGES;
  const untilMs = sharedMs() + limitMs;
  while (count < expected && sharedMs() < untilMs) await sleep(10);
  isMeasuring = false;
  const { user, system } = process.cpuUsage(cpuBefore);
  const late = delays.subarray(LIMIT_MS + 1).reduce((sum, n) => sum + n, 0);
  return {
    ...{ messages: count, missing: expected - count, bytes, longestMs },
    ...{ p50Ms: quantileMs(0.5), p99Ms: quantileMs(0.99) },
    latePercent: (100 * (late + expected - count)) / expected,
    closed: sockets.filter(({ isClosed }) => isClosed).length,
    cpuMs: (user + system) / 1_000,
  };
}

function quantileMs(share: number): number {
  let below = 0;
  return delays.findIndex((n) => {
    below += n;
    return below >= share * count;
  });
}

process.on('message', async (order: ClientsOrder) => {
  if (order.do === 'connect') {
    await open(order);
    process.send!({});
  } else if (order.do === 'expect') {
    expect(order);
    process.send!({});
  } else process.send!(await settle(order.limitMs));
});
process.once('disconnect', () => process.exit());
