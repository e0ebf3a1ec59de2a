/**
 * How far a connection may run ahead of its answers. The HTTP parser hands over every request of a chunk at once, so a
 * client that pipelines and never reads could otherwise have answers made without end (HTTP-5).
 */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MIB } from './route.ts';

const ANSWERS_MAX = 16;
const UNREAD_BYTES_MAX = MIB;
const STALLED_MS = 60_000;

/**
 * Puts the bound before every listener that the server has by now. Requests past it wait in order, and nothing more is
 * read. A client that has them wait and takes nothing for `stalledMs` is cut off.
 */
export function boundConnections(server: Server, { stalledMs = STALLED_MS } = {}): void {
  const listeners = server.listeners('request') as RequestListener[];
  const handle: RequestListener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  const connections = new WeakMap<Socket, BoundedConnection>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    let connection = connections.get(request.socket);
    if (connection === undefined) {
      connection = new BoundedConnection(request.socket, handle, stalledMs);
      connections.set(request.socket, connection);
    }
    connection.take(request, response);
  });
}

type Pending = readonly [IncomingMessage, ServerResponse];

class BoundedConnection {
  readonly #socket: Socket;
  readonly #handle: RequestListener;
  /** Answers that the client has not got as a whole. */
  readonly #open = new Set<ServerResponse>();
  #waiting: Pending[] = [];
  #isHeld = false;
  #isGoingOn = false;
  readonly #stalledMs: number;
  #stalled: NodeJS.Timeout | undefined;

  constructor(socket: Socket, handle: RequestListener, stalledMs: number) {
    this.#socket = socket;
    this.#handle = handle;
    this.#stalledMs = stalledMs;
    socket.once('close', () => {
      this.#waiting = [];
      clearTimeout(this.#stalled);
    });
    // HTTP resumes the socket for reasons of its own: when a body is read, when an answer has left.
    socket.on('resume', () => {
      if (this.#isHeld) socket.pause();
    });
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isHeld) this.#waiting.push([request, response]);
    else this.#begin(request, response);
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      if (!this.#isHeld) return;
      this.#watch();
      this.#goOnSoon();
    });
    this.#handle(request, response);
    if (this.#isFull) this.#hold();
  }

  get #isFull(): boolean {
    return this.#open.size >= ANSWERS_MAX || this.#unreadBytes >= UNREAD_BYTES_MAX;
  }

  /** Of the socket, and of answers whose turn has not come. */
  get #unreadBytes(): number {
    let bytes = this.#socket.writableLength;
    for (const response of this.#open) if (response.socket === null) bytes += response.writableLength;
    return bytes;
  }

  #hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
    this.#watch();
  }

  /** Bytes that wait for the client and do not get fewer are its fault; where none wait, the answers are late. */
  #watch(): void {
    clearTimeout(this.#stalled);
    if (this.#socket.destroyed) return;
    const unsent = this.#socket.writableLength;
    this.#stalled = setTimeout(() => {
      if (unsent > 0 && this.#socket.writableLength >= unsent) this.#socket.destroy();
      else this.#watch();
    }, this.#stalledMs).unref();
  }

  /** Other connections have their turn in between. */
  #goOnSoon(): void {
    if (this.#isGoingOn) return;
    this.#isGoingOn = true;
    setImmediate(() => {
      this.#isGoingOn = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    while (!this.#isFull) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#isHeld = false;
        clearTimeout(this.#stalled);
        this.#socket.resume();
        return;
      }
      this.#begin(...next);
    }
  }
}
