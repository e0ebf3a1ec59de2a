/** One client of the channels: what it listens to, what waits for it, and whether it still reads (STR-3). */

import { ConnectedSocket, type SocketOptions } from '../connected-socket.ts';
import { MessageBytes } from '../wire.ts';
import { Beats } from './beats.ts';
import type { Listener, Subscription } from './channel.ts';

export interface ConnectionLimits {
  /** Unread bytes beyond which public messages are held back, and their changes gathered. */
  readonly heldBytes: number;
  /** Unread bytes of private messages, or of answers, that are too many. */
  readonly unreadBytesMax: number;
  /** The longest time without a beat. */
  readonly beatMs: number;
}

export interface ConnectionOptions extends SocketOptions {
  readonly limits: ConnectionLimits;
  /** The last entry when it was opened. */
  readonly seq: number;
}

/** It reads too slowly to be sent everything. */
const TRY_AGAIN_LATER = 1013;
/** Smaller messages are copied together, so that one call writes many. */
const COPIED_BYTES_MAX = 4_096;

export class Connection extends ConnectedSocket implements Listener {
  readonly #limits: ConnectionLimits;
  readonly #isDeflating: boolean;
  /** By the name of the channel. */
  readonly subscriptions = new Map<string, Subscription>();
  readonly #behind = new Set<Subscription>();
  readonly #beats: Beats;
  #gathered: Buffer[] = [];
  #gatheredPrivate = 0;
  #unreadPrivate = 0;
  #isBehind = false;

  constructor(options: ConnectionOptions) {
    super(options);
    const { socket, limits, elapsedMs, seq } = options;
    this.#limits = limits;
    this.#isDeflating = socket.extensions.includes('permessage-deflate');
    this.#beats = new Beats({ beatMs: limits.beatMs, nowMs: elapsedMs(), seq });
  }

  /** True if so much was unread when the tick began that public messages wait. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Begins a tick, in which nothing leaves before its end. */
  begin(): void {
    this.#isBehind = this.connection.writableLength > this.#limits.heldBytes;
  }

  /** True while so much is unread that no more requests are carried out. */
  get isStuck(): boolean {
    return this.connection.writableLength > this.#limits.unreadBytesMax;
  }

  /** Ask only when a tick begins: within one, nothing can have left. */
  get isTooSlow(): boolean {
    return this.#unreadPrivate > this.#limits.unreadBytesMax;
  }

  /** The subscriptions that wait until it has read more. */
  get behind(): ReadonlySet<Subscription> {
    return this.#behind;
  }

  fellBehind(subscription: Subscription): void {
    this.#behind.add(subscription);
  }

  /** Returns those subscriptions, which no longer wait. */
  takeBehind(): readonly Subscription[] {
    const taken = [...this.#behind];
    this.#behind.clear();
    return taken;
  }

  forget(subscription: Subscription): void {
    this.#behind.delete(subscription);
  }

  ended(subscription: Subscription, message: MessageBytes): void {
    const { name } = subscription.channel;
    this.subscriptions.delete(name);
    this.#behind.delete(subscription);
    this.#beats.ended(name);
    this.gather(message, false);
  }

  /** Ends a tick, in which everything was sent up to an entry, unless it is behind. */
  ticked(seq: number): void {
    this.#beats.ticked(this.#isBehind ? null : seq);
    this.write();
  }

  /** Sends a beat if one is due. */
  beat(nowMs: number): void {
    const text = this.#beats.take(nowMs, this.subscriptions);
    if (text === null) return;
    this.gather(new MessageBytes(text), false);
    this.write();
  }

  /** Adds a message for `write` to send. */
  gather(message: MessageBytes, isPrivate: boolean): void {
    const bytes = this.#isDeflating ? message.deflated : message.plain;
    this.#gathered.push(bytes);
    if (isPrivate) this.#gatheredPrivate += bytes.length;
  }

  /**
   * Writes the gathered messages, bypassing the library, which would compress and write each for each client. The library
   * writes its own frames whole, so ours never land inside one.
   */
  write(): void {
    const gathered = this.#gathered;
    if (gathered.length === 0) return;
    const privateBytes = this.#gatheredPrivate;
    this.#gathered = [];
    this.#gatheredPrivate = 0;
    if (!this.isOpen) return;
    this.#unreadPrivate += privateBytes;
    const { connection } = this;
    const chunks = chunksOf(gathered);
    connection.cork();
    for (let i = 0; i < chunks.length - 1; i++) connection.write(chunks[i]!);
    connection.write(chunks.at(-1)!, () => {
      this.#unreadPrivate -= privateBytes;
    });
    connection.uncork();
  }

  protected override get hasUnread(): boolean {
    return this.#unreadPrivate > 0;
  }

  /** Ends a connection that private messages cannot be sent to; what it missed it can ask for by the last fill. */
  giveUp(): void {
    this.socket.close(TRY_AGAIN_LATER, 'private messages wait unread');
  }
}

/** Joins small neighbours; a large message stays one buffer for all its readers. */
function chunksOf(buffers: readonly Buffer[]): readonly Buffer[] {
  if (buffers.length === 1) return buffers;
  const chunks: Buffer[] = [];
  let small: Buffer[] = [];
  const join = () => {
    if (small.length > 0) chunks.push(small.length === 1 ? small[0]! : Buffer.concat(small));
    small = [];
  };
  for (const buffer of buffers) {
    if (buffer.length <= COPIED_BYTES_MAX) {
      small.push(buffer);
      continue;
    }
    join();
    chunks.push(buffer);
  }
  join();
  return chunks;
}
