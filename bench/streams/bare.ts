/** A process that sends each connection a tick's bytes in one write at its planned time, and does nothing else. */

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveBare } from '../shared/bare-server.ts';
import { sharedMs, TICK_MS } from './plan.ts';

interface Send {
  readonly do: 'send';
  readonly startMs: number;
  readonly ticks: readonly Buffer[];
}

export type BareOrder = { readonly do: 'listen' } | Send;

async function sendAll({ startMs, ticks }: Send, sockets: readonly Socket[]): Promise<void> {
  for (const [i, bytes] of ticks.entries()) {
    await sleep(Math.max(0, startMs + i * TICK_MS - sharedMs()));
    for (const socket of sockets) socket.write(bytes);
  }
}

serveBare(sendAll);
