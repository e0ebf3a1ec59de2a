/** Closes a server without leaving any request unanswered. */

import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';

/**
 * While stopping, every answer tells its client to hang up. The server waits until no request has come for this long,
 * or up to the limit. If the server hung up while a request arrived, its client would never learn the outcome.
 */
const LEAVE_MS = 100;
const LEAVE_MS_MAX = 1_000;
/** Interval at which connections that have their answer are then closed. */
const HANG_UP_MS = 20;

export interface CloseOptions {
  readonly inFlightMs: number;
  readonly onCutOff: () => void;
}

/**
 * Refuses new connections and resolves once the open ones have their answers and are gone. After `inFlightMs`, calls
 * `onCutOff` and cuts off the rest.
 */
export async function closeServer(server: HttpServer, { inFlightMs, onCutOff }: CloseOptions): Promise<void> {
  const cutOff = setTimeout(() => {
    onCutOff();
    server.closeAllConnections();
  }, inFlightMs);
  // Only stops listening; closing an HTTP server would hang up on idle clients immediately.
  const closed = once(server, 'close');
  Server.prototype.close.call(server);
  await untilNobodyAsks(server);
  // Closing ends only idle connections; a busy one would be kept alive after its answer.
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

/** Runs right after the event loop has read all input, so that no request lies unread. */
async function hangUpOnIdle(server: HttpServer): Promise<void> {
  await afterReading();
  server.closeIdleConnections();
}
