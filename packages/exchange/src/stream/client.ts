/** One connected socket (OWN-41): a queue with an end, and a sign of life. */

import type { Socket } from 'node:net';
import type { Account } from '@venue/engine';
import type { WebSocket } from 'ws';
import type { FrameBytes } from './wire.ts';

/** Whom a token named. */
export interface Holder {
  readonly account: Account;
  /** Unix milliseconds at which the token expires. */
  readonly expiresAtMs: number;
}

/** How much may wait for a client when a tick begins. */
export interface QueueLimits {
  /** Frames. */
  readonly queueMax: number;
  readonly queueBytesMax: number;
}

/** Who joins the stream. */
export interface Joining {
  readonly socket: WebSocket;
  /** What the socket runs over. */
  readonly connection: Socket;
  /** Whose private frames it gets, and until when; null for public frames alone. */
  readonly holder: Holder | null;
}

/** The token that opened the connection has expired. Of the codes that RFC 6455 leaves to applications. */
const TOKEN_EXPIRED = 4401;

export class StreamClient {
  #holder: Holder | null;
  readonly #socket: WebSocket;
  readonly #connection: Socket;
  readonly #limits: QueueLimits;
  /** Frames of this tick that are not written yet. */
  #gathered: FrameBytes[] = [];
  /** Frames given to the connection that it has not yet passed on, their bytes, and the ticks that they are of. */
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
    // A message of a client means no more than that it is there.
    for (const event of ['message', 'ping', 'pong']) socket.on(event, heard);
    // A fault of the connection is followed by its close, which is what counts.
    socket.on('error', () => {});
  }

  /** Whose private frames it gets; null for public frames alone. */
  get holder(): Holder | null {
    return this.#holder;
  }

  /**
   * Whether its queue is full, so that it would only ever be told old news. Only a tick that begins may ask: frames
   * given since then count as queued however fast the client reads, because nothing is passed on before the tick ends.
   */
  get isBehind(): boolean {
    const { queueMax, queueBytesMax } = this.#limits;
    // The frames of one tick may be as large as an account's orders make them.
    return this.#queued >= queueMax || (this.#queuedBytes >= queueBytesMax && this.#queuedTicks > 1);
  }

  /** Adds to what `write` writes. */
  gather(frames: FrameBytes): void {
    this.#gathered.push(frames);
  }

  /**
   * Writes what was gathered in one go, past the library, which would write each frame of each client by itself. It
   * writes its own frames whole, so that ours never fall between the parts of one.
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

  /** Ends the connection without a farewell. */
  drop(): void {
    this.#socket.terminate();
  }

  /** Ends a connection whose token has expired; what waits in its queue is for the token's holder alone, so it goes no further. */
  expire(): void {
    this.#holder = null;
    if (this.#queued > 0) this.drop();
    else this.#socket.close(TOKEN_EXPIRED, 'token expired');
  }

  /** Says that the service is going away. */
  close(): void {
    this.#socket.close(1001);
  }
}
