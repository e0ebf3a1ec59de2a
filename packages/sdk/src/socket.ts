/** A socket to the push channel, of whatever kind the runtime has. */

import type { StreamFrame } from '@venue/protocol';

/** What is used of a WebSocket: the global one of browsers and Node 22, and that of the `ws` package, have it. */
export interface WebSocketLike {
  readonly readyState: number;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  close(): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

export interface SocketAddress {
  /** Base address of the venue. */
  readonly url: string;
  /** Without one only public frames come. */
  readonly token: string | null;
  readonly webSocket: WebSocketConstructor;
}

/** The one given, or that of this runtime. Throws `TypeError` where there is none. */
export function webSocketOf(given: WebSocketConstructor | undefined): WebSocketConstructor {
  const found = given ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
  if (found === undefined) throw new TypeError('this runtime has no WebSocket: give one as `webSocket`');
  return found;
}

/** Begins to connect to `/ws`. */
export function openSocket({ url, token, webSocket: Socket }: SocketAddress): WebSocketLike {
  const query = token === null ? '' : `?token=${encodeURIComponent(token)}`;
  const socket = new Socket(`${url.replace(/^http/, 'ws')}/ws${query}`);
  // A fault of the connection is followed by its close, which is what counts.
  socket.addEventListener('error', () => {});
  return socket;
}

/** Hands a socket's frames on as they come. Runtimes answer the venue's pings by themselves. */
export function onFrames(socket: WebSocketLike, onFrame: (frame: StreamFrame) => void): void {
  socket.addEventListener('message', ({ data }) => onFrame(JSON.parse(String(data)) as StreamFrame));
}
