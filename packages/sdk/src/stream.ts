/** The push channel: frames of the market, and of the account whose token opened it. */

import type { StreamFrame } from '@venue/protocol';
import { VenueUnreachableError } from './errors.ts';

export interface StreamHandlers {
  onFrame(frame: StreamFrame): void;
}

export interface Stream {
  /** False once either side has ended the connection. Fills missed since then are in `account.fills`. */
  readonly isOpen: boolean;
  close(): void;
}

/**
 * Connects to `/ws` of the venue at `url`; without a token only public frames come. Rejects with
 * `VenueUnreachableError` when the venue refuses or cannot be reached.
 */
export function openStream(url: string, token: string | null, handlers: StreamHandlers): Promise<Stream> {
  const socket = new WebSocket(streamUrl(url, token));
  const stream: Stream = {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    close: () => socket.close(),
  };
  const { promise, resolve, reject } = Promise.withResolvers<Stream>();
  socket.addEventListener('open', () => resolve(stream));
  socket.addEventListener('close', () => reject(new VenueUnreachableError(`no stream from ${url}`)));
  socket.addEventListener('message', ({ data }) => handlers.onFrame(JSON.parse(String(data)) as StreamFrame));
  return promise;
}

function streamUrl(url: string, token: string | null): URL {
  const address = new URL(`${url}/ws`.replace(/^http/, 'ws'));
  if (token !== null) address.searchParams.set('token', token);
  return address;
}
