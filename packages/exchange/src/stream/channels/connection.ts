/** One client of the channels: what it listens to, what waits for it, and whether it still reads (STR-3). */

import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Holder } from '../client.ts';
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

export interface ConnectionOptions {
  readonly socket: WebSocket;
  /** The connection under the socket. */
  readonly connection: Socket;
  readonly limits: ConnectionLimits;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
  /** The last entry when it was opened. */
  readonly seq: number;
}

const GOING_AWAY = 1001;
/** It reads too slowly to be sent everything. */
const TRY_AGAIN_LATER = 1013;
/** From the range that RFC 6455 leaves to applications. */
const TOKEN_EXPIRED = 4401;
/** Smaller messages are copied together, so that one call writes many. */
const COPIED_BYTES_MAX = 4_096;

export class Connection implements Listener {
  readonly #options: ConnectionOptions;
  readonly #isDeflating: boolean;
  /** By the name of the channel. */
  readonly subscriptions = new Map<string, Subscription>();
  readonly #behind = new Set<Subscription>();
  readonly #beats: Beats;
  #holder: Holder | null = null;
  #gathered: Buffer[] = [];
  #gatheredPrivate = 0;
  #unreadPrivate = 0;
  #isBehind = false;
  #heardAtMs: number;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket, limits, elapsedMs, seq } = options;
    this.#isDeflating = socket.extensions.includes('permessage-deflate');
    this.#heardAtMs = elapsedMs();
    this.#beats = new Beats({ beatMs: limits.beatMs, nowMs: elapsedMs(), seq });
    const heard = () => this.heard();
    for (const event of ['message', 'ping', 'pong']) socket.on(event, heard);
  }

  /** Whom its private channels and its unsigned batches are for; null before a sign-in. */
  get holder(): Holder | null {
    return this.#holder;
  }

  signIn(holder: Holder): void {
    this.#holder = holder;
  }

  get isOpen(): boolean {
    const { socket, connection } = this.#options;
    return socket.readyState === socket.OPEN && connection.writable;
  }

  /** True if so much was unread when the tick began that public messages wait. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Begins a tick, in which nothing leaves before its end. */
  begin(): void {
    const { connection, limits } = this.#options;
    this.#isBehind = connection.writableLength > limits.heldBytes;
  }

  /** True while so much is unread that no more requests are carried out. */
  get isStuck(): boolean {
    const { connection, limits } = this.#options;
    return connection.writableLength > limits.unreadBytesMax;
  }

  /** Ask only when a tick begins: within one, nothing can have left. */
  get isTooSlow(): boolean {
    return this.#unreadPrivate > this.#options.limits.unreadBytesMax;
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
    const { connection } = this.#options;
    const chunks = chunksOf(gathered);
    connection.cork();
    for (let i = 0; i < chunks.length - 1; i++) connection.write(chunks[i]!);
    connection.write(chunks.at(-1)!, () => {
      this.#unreadPrivate -= privateBytes;
    });
    connection.uncork();
  }

  heard(): void {
    this.#heardAtMs = this.#options.elapsedMs();
  }

  heardSince(ms: number): boolean {
    return this.#heardAtMs > ms;
  }

  ping(): void {
    const { socket } = this.#options;
    if (socket.readyState === socket.OPEN) socket.ping();
  }

  /** Ends the connection without a close frame. */
  drop(): void {
    this.#options.socket.terminate();
  }

  /** Ends a connection whose token has expired, along with what only the token's holder may see. */
  expire(): void {
    this.#holder = null;
    if (this.#unreadPrivate > 0) this.drop();
    else this.#options.socket.close(TOKEN_EXPIRED, 'token expired');
  }

  /** Ends a connection that private messages cannot be sent to; what it missed it can ask for by the last fill. */
  giveUp(): void {
    this.#options.socket.close(TRY_AGAIN_LATER, 'private messages wait unread');
  }

  close(): void {
    this.#options.socket.close(GOING_AWAY);
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
