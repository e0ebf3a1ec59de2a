/**
 * How far a connection may run ahead of its answers. The HTTP parser hands over every request of a chunk at once, so a
 * client that pipelines and never reads could otherwise have answers made without end (HTTP-5).
 */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MIB } from '../http/route.ts';

const ANSWERS_MAX = 16;
/** Requests that waited and are begun in one turn of the event loop, of all connections together. */
const BEGUN_A_TURN_MAX = 64;
const UNREAD_BYTES_MAX = MIB;
const STALLED_MS = 60_000;

/** Turns of the event loop, and the connections with requests that wait, which go on in one of the next. */
class Turns {
  readonly #queue = new Set<BoundedConnection>();
  #isComing = false;
  #number = 0;
  #isCounted = false;

  /** Another one in each turn in which it is asked for. */
  get number(): number {
    if (!this.#isCounted) {
      this.#isCounted = true;
      setImmediate(() => {
        this.#isCounted = false;
        this.#number += 1;
      });
    }
    return this.#number;
  }

  /** Has the connection go on in a turn to come. */
  add(connection: BoundedConnection): void {
    this.#queue.add(connection);
    if (this.#isComing) return;
    this.#isComing = true;
    setImmediate(() => this.#take());
  }

  #take(): void {
    this.#isComing = false;
    let left = BEGUN_A_TURN_MAX;
    for (const connection of [...this.#queue]) {
      if (left <= 0) break;
      this.#queue.delete(connection);
      left -= connection.goOn();
    }
    for (const connection of this.#queue) this.add(connection);
  }
}

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
  const turns = new Turns();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    let connection = connections.get(request.socket);
    if (connection === undefined) {
      connection = new BoundedConnection(request.socket, { handle, turns, stalledMs });
      connections.set(request.socket, connection);
    }
    connection.take(request, response);
  });
  boundUpgrades(server, (socket) => connections.get(socket)?.isBusy ?? false);
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Ends a connection that asks to leave HTTP while it owes answers: these would land in what follows. */
function boundUpgrades(server: Server, isBusy: (socket: Socket) => boolean): void {
  const listeners = server.listeners('upgrade') as UpgradeListener[];
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request, socket, head) => {
    if (isBusy(socket as Socket)) socket.destroy();
    else for (const listener of listeners) listener.call(server, request, socket, head);
  });
}

type Pending = readonly [IncomingMessage, ServerResponse];

interface Bound {
  readonly handle: RequestListener;
  readonly turns: Turns;
  readonly stalledMs: number;
}

class BoundedConnection {
  readonly #socket: Socket;
  readonly #bound: Bound;
  /** Answers that the client has not got as a whole. */
  readonly #open = new Set<ServerResponse>();
  /** Requests of this turn: a parser that hands over a body lets its request be answered before it parses the next. */
  #begun = 0;
  #turn = 0;
  #waiting: Pending[] = [];
  #isHeld = false;
  #stalled: NodeJS.Timeout | undefined;

  constructor(socket: Socket, bound: Bound) {
    this.#socket = socket;
    this.#bound = bound;
    socket.once('close', () => {
      this.#waiting = [];
      clearTimeout(this.#stalled);
    });
    // HTTP resumes the socket for reasons of its own: when a body is read, when an answer has left.
    socket.on('resume', () => {
      if (this.#isHeld) socket.pause();
    });
  }

  /** True if an answer is due, or on its way. */
  get isBusy(): boolean {
    return this.#open.size > 0 || this.#waiting.length > 0;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isHeld) this.#waiting.push([request, response]);
    else this.#begin(request, response);
  }

  /** Begins what waits, as far as the bound lets it, and says how many requests that were. */
  goOn(): number {
    let count = 0;
    while (!this.#isFull) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#isHeld = false;
        clearTimeout(this.#stalled);
        this.#socket.resume();
        break;
      }
      this.#begin(...next);
      count += 1;
    }
    return count;
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { number } = this.#bound.turns;
    if (this.#turn !== number) this.#begun = 0;
    this.#turn = number;
    this.#begun += 1;
    this.#open.add(response);
    response.on('close', () => {
      this.#open.delete(response);
      if (!this.#isHeld) return;
      this.#watch();
      this.#bound.turns.add(this);
    });
    this.#bound.handle(request, response);
    if (this.#isFull) this.#hold();
  }

  get #isFull(): boolean {
    if (this.#begun >= ANSWERS_MAX) return true;
    return this.#open.size >= ANSWERS_MAX || this.#unreadBytes >= UNREAD_BYTES_MAX;
  }

  /** Unread bytes of the socket, and of answers whose turn has not come. */
  get #unreadBytes(): number {
    let bytes = this.#socket.writableLength;
    for (const response of this.#open) if (response.socket === null) bytes += response.writableLength;
    return bytes;
  }

  #hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
    this.#watch();
    if (this.#begun >= ANSWERS_MAX) setImmediate(() => this.#endTurn());
  }

  #endTurn(): void {
    this.#begun = 0;
    this.#bound.turns.add(this);
  }

  /** Bytes that wait for the client and do not get fewer are its fault; where none wait, the answers are late. */
  #watch(): void {
    clearTimeout(this.#stalled);
    if (this.#socket.destroyed) return;
    const unsent = this.#socket.writableLength;
    this.#stalled = setTimeout(() => {
      if (unsent > 0 && this.#socket.writableLength >= unsent) this.#socket.destroy();
      else this.#watch();
    }, this.#bound.stalledMs).unref();
  }
}
