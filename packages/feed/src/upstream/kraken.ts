/** One connection to Kraken's public WebSocket, version 2. */

import { WebSocket } from 'ws';
import { reasonOf } from './connection.ts';

/** Levels on each side of a book. */
export const BOOK_DEPTH = 10;
const CHANNELS = [
  // The trades before the subscription are history.
  { channel: 'trade', snapshot: false },
  { channel: 'ticker' },
  { channel: 'book', depth: BOOK_DEPTH },
];
const CONNECT_MS = 10_000;
/** A proxy may close a connection on which nothing is sent. */
const PING_MS = 30_000;
const FRAME_BYTES_MAX = 4 * 1024 * 1024;

export interface KrakenOptions {
  readonly url: string;
  /** Pairs such as BTC/USD. */
  readonly pairs: readonly string[];
  readonly signal: AbortSignal;
  /** Takes every frame, undefined for one that is not JSON; returns why the connection has to end, or null. */
  readonly onFrame: (frame: unknown) => string | null;
}

/** Subscribes to trades, ticker and book of each pair. Resolves with the reason once the connection is closed. */
export async function listenToKraken({ url, pairs, signal, onFrame }: KrakenOptions): Promise<string> {
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const socket = new WebSocket(url, { handshakeTimeout: CONNECT_MS, maxPayload: FRAME_BYTES_MAX });
  const send = (request: object) => socket.send(JSON.stringify(request));
  socket.on('open', () => {
    for (const channel of CHANNELS) send({ method: 'subscribe', params: { ...channel, symbol: pairs } });
  });
  socket.on('message', (data) => {
    const fault = onFrame(parsed(data.toString()));
    if (fault === null) return;
    lose(fault);
    // Others may have come with it, and would be read as if nothing were missing.
    socket.removeAllListeners('message');
  });
  socket.on('error', (error) => lose(reasonOf(error)));
  socket.on('close', (code) => {
    lose(`connection closed by remote server, closing code ${code}`);
    close();
  });
  signal.addEventListener('abort', () => lose('closed'));
  const ping = setInterval(() => socket.readyState === socket.OPEN && send({ method: 'ping' }), PING_MS);
  const reason = await lost;
  clearInterval(ping);
  // Nothing was sent that a farewell would save, and the upstream may never answer one.
  socket.terminate();
  await closed;
  return reason;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
