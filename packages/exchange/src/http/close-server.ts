/** How a server leaves: nobody who asks is left without an answer. */

import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';

/**
 * A stop lets clients hang up, as every answer then tells them to, until none has asked for so long, or to the maximum. A
 * request that crosses a hang-up of the server gets no answer, and its client does not know what became of it.
 */
const LEAVE_MS = 100;
const LEAVE_MS_MAX = 1_000;
/** How often, after that, connections that have got their answer are closed. */
const HANG_UP_MS = 20;

export interface CloseOptions {
  readonly inFlightMs: number;
  readonly onCutOff: () => void;
}

/**
 * Refuses new connections and resolves once those that are open have got their answers and are gone. What is still busy
 * after `inFlightMs` is cut off, `onCutOff` first.
 */
export async function closeServer(server: HttpServer, { inFlightMs, onCutOff }: CloseOptions): Promise<void> {
  const cutOff = setTimeout(() => {
    onCutOff();
    server.closeAllConnections();
  }, inFlightMs);
  // Stops listening alone; the close of an HTTP server hangs up on idle clients at once.
  const closed = once(server, 'close');
  Server.prototype.close.call(server);
  await untilNobodyAsks(server);
  // The close itself ends idle connections alone; one that was busy then would be kept alive after its answer.
  const hangUp = setInterval(() => hangUpOnIdle(server), HANG_UP_MS);
  await hangUpOnIdle(server);
  server.close();
  await closed;
  clearInterval(hangUp);
  clearTimeout(cutOff);
}

async function untilNobodyAsks(server: HttpServer): Promise<void> {
  const beganMs = performance.now();
  let askedMs = beganMs;
  server.on('request', () => {
    askedMs = performance.now();
  });
  let nowMs = beganMs;
  while (nowMs - askedMs < LEAVE_MS && nowMs - beganMs < LEAVE_MS_MAX) {
    await sleep(HANG_UP_MS);
    nowMs = performance.now();
  }
}

/** Comes right after the event loop has read what had arrived, so that nobody's request lies there unread. */
async function hangUpOnIdle(server: HttpServer): Promise<void> {
  await afterReading();
  server.closeIdleConnections();
}
