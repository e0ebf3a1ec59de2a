/** A client of the stream, with a bounded queue. */

import { ConnectedSocket, type Holder, type SocketOptions } from './connected-socket.ts';
import type { FrameBytes } from './wire.ts';

/** The most that may wait for a client when a tick begins. */
export interface QueueLimits {
  /** Frames. */
  readonly queueMax: number;
  readonly queueBytesMax: number;
}

/** A client joining the stream. */
export interface Joining extends Omit<SocketOptions, 'elapsedMs'> {
  /** Account and expiry of the token, for private frames; null for public frames only. */
  readonly holder: Holder | null;
}

export class StreamClient extends ConnectedSocket {
  readonly #limits: QueueLimits;
  /** Frames of this tick that are not written yet. */
  #gathered: FrameBytes[] = [];
  /** Frames that the connection has not yet passed on, their bytes, and the number of ticks they are from. */
  #queued = 0;
  #queuedBytes = 0;
  #queuedTicks = 0;

  constructor(options: Joining & SocketOptions & { limits: QueueLimits }) {
    super(options);
    if (options.holder !== null) this.signIn(options.holder);
    this.#limits = options.limits;
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
    if (!this.isOpen) return;
    const count = gathered.reduce((sum, frames) => sum + frames.count, 0);
    const bytes =
      gathered.length === 1 ? gathered[0]!.bytes : Buffer.concat(gathered.map((frames) => frames.bytes));
    this.#queued += count;
    this.#queuedBytes += bytes.length;
    this.#queuedTicks += 1;
    this.connection.write(bytes, () => {
      this.#queued -= count;
      this.#queuedBytes -= bytes.length;
      this.#queuedTicks -= 1;
    });
  }

  protected override get hasUnread(): boolean {
    return this.#queued > 0;
  }
}
