/** A socket to the push channel, of whatever kind the runtime has. */

import type { StreamFrame } from '@venue/protocol';

/** The used part of a WebSocket, which the global one of browsers and Node 22 and that of the `ws` package have. */
export interface WebSocketLike {
  readonly readyState: number;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  send(data: string): void;
  close(): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

export interface SocketAddress {
  /** Base address of the venue. */
  readonly url: string;
  /** Without a token only public frames come. */
  readonly token: string | null;
  readonly webSocket: WebSocketConstructor;
}

/** The given one, or that of this runtime. Throws `TypeError` if there is none. */
export function webSocketOf(given: WebSocketConstructor | undefined): WebSocketConstructor {
  const found = given ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
  if (found === undefined)
    throw new TypeError(
      'this runtime has no WebSocket: give the client one, such as that of the ws package, as `webSocket`',
    );
  return found;
}

/** Begins to connect to `/ws`. */
export function openSocket({ url, token, webSocket: Socket }: SocketAddress): WebSocketLike {
  const query = token === null ? '' : `?token=${encodeURIComponent(token)}`;
  const socket = new Socket(`${url.replace(/^http/, 'ws')}/ws${query}`);
  // The connection's close follows every error, and is handled there.
  socket.addEventListener('error', () => {});
  return socket;
}

/**
 * Passes a socket's frames on as they come, and closes one whose frames cannot be read. Runtimes answer the venue's pings
 * automatically.
 */
export function onFrames(socket: WebSocketLike, onFrame: (frame: StreamFrame) => void): void {
  socket.addEventListener('message', ({ data }) => {
    const frame = objectOf(String(data));
    if (frame === null) socket.close();
    else onFrame(frame as StreamFrame);
  });
}

/** The object that a message holds; null for text that a broken proxy may have put in its place. */
export function objectOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
