/** One connected socket: whose it is, whether it is alive, and how it ends (OWN-41, AUTH-2). */

import type { Socket } from 'node:net';
import type { Account } from '@venue/engine';
import type { WebSocket } from 'ws';

/** The owner of a token. */
export interface Holder {
  readonly account: Account;
  /** Unix milliseconds at which the token expires. */
  readonly expiresAtMs: number;
}

export interface SocketOptions {
  readonly socket: WebSocket;
  /** The connection under the socket. */
  readonly connection: Socket;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
}

const GOING_AWAY = 1001;
/** From the range that RFC 6455 leaves to applications. */
const TOKEN_EXPIRED = 4401;

export abstract class ConnectedSocket {
  protected readonly socket: WebSocket;
  protected readonly connection: Socket;
  readonly #elapsedMs: () => number;
  #holder: Holder | null = null;
  #heardAtMs: number;

  constructor({ socket, connection, elapsedMs }: SocketOptions) {
    this.socket = socket;
    this.connection = connection;
    this.#elapsedMs = elapsedMs;
    this.#heardAtMs = elapsedMs();
    for (const event of ['message', 'ping', 'pong']) socket.on(event, () => this.heard());
    // The connection's close follows every error, and is handled there.
    socket.on('error', () => {});
  }

  /** Whom private messages are for; null where there are none. */
  get holder(): Holder | null {
    return this.#holder;
  }

  signIn(holder: Holder): void {
    this.#holder = holder;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN && this.connection.writable;
  }

  heard(): void {
    this.#heardAtMs = this.#elapsedMs();
  }

  heardSince(ms: number): boolean {
    return this.#heardAtMs > ms;
  }

  ping(): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  onClose(left: () => void): void {
    this.socket.on('close', left);
  }

  /** Ends the connection without a close frame. */
  drop(): void {
    this.socket.terminate();
  }

  /** Ends a connection whose token has expired, along with what only the token's holder may see. */
  expire(): void {
    this.#holder = null;
    if (this.hasUnread) this.drop();
    else this.socket.close(TOKEN_EXPIRED, 'token expired');
  }

  /** Tells the client that the service is going away. */
  close(): void {
    this.socket.close(GOING_AWAY);
  }

  /** True while something that only the token's holder may see waits to be read. */
  protected abstract readonly hasUnread: boolean;
}
