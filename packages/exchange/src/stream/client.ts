/** One connected socket: a queue with an end, and a sign of life. */

import type { WebSocket } from '@fastify/websocket';
import type { Account } from '@venue/engine';

export class StreamClient {
  /** Whose private frames it gets; null for public frames alone. */
  readonly account: Account | null;
  readonly #socket: WebSocket;
  readonly #queueMax: number;
  /** Frames given to the socket that it has not yet passed on. */
  #queued = 0;
  #heardAtMs: number;

  constructor(options: {
    socket: WebSocket;
    account: Account | null;
    queueMax: number;
    elapsedMs: () => number;
  }) {
    const { socket, account, queueMax, elapsedMs } = options;
    this.account = account;
    this.#socket = socket;
    this.#queueMax = queueMax;
    this.#heardAtMs = elapsedMs();
    const heard = () => {
      this.#heardAtMs = elapsedMs();
    };
    // A message of a client means no more than that it is there.
    for (const event of ['message', 'ping', 'pong']) socket.on(event, heard);
    // A fault of the connection is followed by its close, which is what counts.
    socket.on('error', () => {});
  }

  /**
   * Whether its queue is full, so that it would only ever be told old news. Only a tick that begins may ask: frames
   * given since then count as queued however fast the client reads, because nothing is passed on before the tick ends.
   */
  get isBehind(): boolean {
    return this.#queued >= this.#queueMax;
  }

  /** Sends a text frame. */
  send(frame: Buffer): void {
    this.#queued += 1;
    this.#socket.send(frame, { binary: false }, () => {
      this.#queued -= 1;
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

  /** Says that the service is going away. */
  close(): void {
    this.#socket.close(1001);
  }
}
