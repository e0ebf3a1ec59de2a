/** One connected socket (OWN-41), with a bounded queue and a liveness check. */

import type { Socket } from 'node:net';
import type { Account } from '@venue/engine';
import type { WebSocket } from 'ws';
import type { FrameBytes } from './wire.ts';

/** The owner of a token. */
export interface Holder {
  readonly account: Account;
  /** Unix milliseconds at which the token expires. */
  readonly expiresAtMs: number;
}

/** The most that may wait for a client when a tick begins. */
export interface QueueLimits {
  /** Frames. */
  readonly queueMax: number;
  readonly queueBytesMax: number;
}

/** A client joining the stream. */
export interface Joining {
  readonly socket: WebSocket;
  /** The connection under the socket. */
  readonly connection: Socket;
  /** Account and expiry of the token, for private frames; null for public frames only. */
  readonly holder: Holder | null;
}

/** Close code for an expired token, from the range that RFC 6455 leaves to applications. */
const TOKEN_EXPIRED = 4401;

export class StreamClient {
  #holder: Holder | null;
  readonly #socket: WebSocket;
  readonly #connection: Socket;
  readonly #limits: QueueLimits;
  /** Frames of this tick that are not written yet. */
  #gathered: FrameBytes[] = [];
  /** Frames that the connection has not yet passed on, their bytes, and the number of ticks they are from. */
  #queued = 0;
  #queuedBytes = 0;
  #queuedTicks = 0;
  #heardAtMs: number;

  constructor(options: Joining & { limits: QueueLimits; elapsedMs: () => number }) {
    const { socket, connection, holder, limits, elapsedMs } = options;
    this.#holder = holder;
    this.#socket = socket;
    this.#connection = connection;
    this.#limits = limits;
    this.#heardAtMs = elapsedMs();
    const heard = () => {
      this.#heardAtMs = elapsedMs();
    };
    // Any message from a client is only a sign of life.
    for (const event of ['message', 'ping', 'pong']) socket.on(event, heard);
    // The connection's close follows every error, and is handled there.
    socket.on('error', () => {});
  }

  /** The token's owner, who gets private frames; null for public frames only. */
  get holder(): Holder | null {
    return this.#holder;
  }

  /**
   * True if its queue is full, so that it would only ever receive outdated frames. Ask only when a tick begins:
   * frames given since then count as queued however fast the client reads, because nothing is passed on before the
   * tick ends.
   */
  get isBehind(): boolean {
    const { queueMax, queueBytesMax } = this.#limits;
    // The frames of a single tick may be as large as an account's orders make them.
    return this.#queued >= queueMax || (this.#queuedBytes >= queueBytesMax && this.#queuedTicks > 1);
  }

  /** Adds frames for `write` to send. */
  gather(frames: FrameBytes): void {
    this.#gathered.push(frames);
  }

  /**
   * Writes the collected frames at once, bypassing the library, which would write each frame separately. The library
   * writes its own frames whole, so ours never land inside one.
   */
  write(): void {
    const gathered = this.#gathered;
    if (gathered.length === 0) return;
    this.#gathered = [];
    if (this.#socket.readyState !== this.#socket.OPEN || !this.#connection.writable) return;
    const count = gathered.reduce((sum, frames) => sum + frames.count, 0);
    const bytes =
      gathered.length === 1 ? gathered[0]!.bytes : Buffer.concat(gathered.map((frames) => frames.bytes));
    this.#queued += count;
    this.#queuedBytes += bytes.length;
    this.#queuedTicks += 1;
    this.#connection.write(bytes, () => {
      this.#queued -= count;
      this.#queuedBytes -= bytes.length;
      this.#queuedTicks -= 1;
    });
  }

  ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  heardSince(ms: number): boolean {
    return this.#heardAtMs > ms;
  }

  /** Ends the connection without a close frame. */
  drop(): void {
    this.#socket.terminate();
  }

  /** Ends a connection whose token has expired, along with its queue, which only the token's holder may see. */
  expire(): void {
    this.#holder = null;
    if (this.#queued > 0) this.drop();
    else this.#socket.close(TOKEN_EXPIRED, 'token expired');
  }

  /** Tells the client that the service is going away. */
  close(): void {
    this.#socket.close(1001);
  }
}
