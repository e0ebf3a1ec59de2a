/** The connected sockets of a stream, and the timers that run while there are any. */

import type { ConnectedSocket } from './connected-socket.ts';

export interface LivenessLimits {
  readonly pingMs: number;
  /** A client silent for this long is dropped. */
  readonly silenceMs: number;
}

/** Checks within the time of silence. */
const SILENCE_CHECKS = 18;

export interface SocketsOptions<S extends ConnectedSocket> {
  readonly limits: LivenessLimits;
  /** Monotonic milliseconds, to measure silence. */
  readonly elapsedMs: () => number;
  /** Further work for as long as there are clients, each with its interval in milliseconds. */
  readonly work: readonly (readonly [everyMs: number, act: () => void])[];
  readonly onLeft: (client: S) => void;
  /** Called when the last client has left. */
  readonly onIdle: () => void;
}

export class ConnectedSockets<S extends ConnectedSocket> {
  readonly #options: SocketsOptions<S>;
  readonly #all = new Set<S>();
  #timers: NodeJS.Timeout[] = [];

  constructor(options: SocketsOptions<S>) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): IterableIterator<S> {
    return this.#all.values();
  }

  /** Adds a client until its socket closes. */
  add(client: S): void {
    this.#all.add(client);
    if (this.#timers.length === 0) this.#startTimers();
    client.onClose(() => this.#leave(client));
  }

  /** Says goodbye to every client. */
  close(): void {
    for (const client of this.#all) client.close();
  }

  /** Ends the remaining connections. */
  dropAll(): void {
    for (const client of this.#all) client.drop();
  }

  /** Pings every client; automatic while there are clients. */
  ping(): void {
    for (const client of this.#all) client.ping();
  }

  /** Drops clients that were silent for too long; automatic while there are clients. */
  dropSilent(): void {
    const since = this.#options.elapsedMs() - this.#options.limits.silenceMs;
    for (const client of this.#all) if (!client.heardSince(since)) client.drop();
  }

  /** Ends connections whose token has expired, as it does in a header (AUTH-2); call before anything private is sent. */
  expire(nowMs: number, leavePrivate: (client: S) => void): void {
    for (const client of this.#all) {
      if (client.holder === null || nowMs < client.holder.expiresAtMs) continue;
      leavePrivate(client);
      client.expire();
    }
  }

  #leave(client: S): void {
    this.#all.delete(client);
    this.#options.onLeft(client);
    if (this.#all.size > 0) return;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    this.#options.onIdle();
  }

  #startTimers(): void {
    const { limits, work } = this.#options;
    this.#timers = [
      ...work.map(([everyMs, act]) => setInterval(act, everyMs)),
      setInterval(() => this.ping(), limits.pingMs),
      setInterval(() => this.dropSilent(), limits.silenceMs / SILENCE_CHECKS),
    ];
  }
}
