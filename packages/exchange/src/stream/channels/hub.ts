/** The listeners to the channels of a node. Every tick sends them the changes since the last one (STR-1 to STR-5). */

import type { Account, State } from '@venue/engine';
import type { Tape } from '../../views/tape.ts';
import type { Tickers } from '../../views/tickers.ts';
import { ConnectedSockets, type LivenessLimits } from '../connected-sockets.ts';
import { BEAT_CHECKS } from './beats.ts';
import { Catalog, type ChannelEffects, isPrivateName } from './catalog.ts';
import { type Channel, Subscription } from './channel.ts';
import { Connection, type ConnectionLimits, type ConnectionOptions } from './connection.ts';
import type { EndReason } from './ends.ts';

export interface ChannelLimits extends ConnectionLimits, LivenessLimits {
  /** For how long a channel that nobody listens to is remembered, for those who come back. */
  readonly lingerMs: number;
}

export const CHANNEL_LIMITS: ChannelLimits = {
  pingMs: 20_000,
  silenceMs: 90_000,
  lingerMs: 300_000,
  beatMs: 5_000,
  heldBytes: 65_536,
  unreadBytesMax: 262_144,
};

export interface ChannelHubOptions {
  readonly state: State;
  readonly tape: Tape;
  readonly tickers: Tickers;
  /** Unix milliseconds; tells whether tokens are expired. */
  readonly now: () => number;
  /** Monotonic milliseconds; by default those of this process. */
  readonly elapsedMs?: () => number;
  readonly tickMs: number;
  /** A node that is not current drops its clients: they find another node, or return later. */
  readonly isCurrent?: () => boolean;
  readonly limits?: ChannelLimits;
}

/** A channel that a client asks for. */
export interface Asked {
  readonly name: string;
  /** The client knows the channel as it was after this entry. */
  readonly seq?: number;
  /** The client of `fills` has all fills up to this id. */
  readonly after?: number;
}

interface Joined {
  readonly connection: Connection;
  readonly subscription: Subscription;
  readonly knownSeq: number | null;
  readonly resolve: (isResumed: boolean) => void;
}

export class ChannelHub {
  readonly #options: ChannelHubOptions;
  readonly #limits: ChannelLimits;
  readonly #elapsedMs: () => number;
  readonly #catalog: Catalog;
  readonly clients: ConnectedSockets<Connection>;
  #joined: Joined[] = [];

  constructor(options: ChannelHubOptions) {
    this.#options = options;
    this.#limits = options.limits ?? CHANNEL_LIMITS;
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
    const { state, tape, tickers } = options;
    this.#catalog = new Catalog({ state, tape, tickers, elapsedMs: this.#elapsedMs });
    const { beatMs, lingerMs } = this.#limits;
    this.clients = new ConnectedSockets({
      limits: this.#limits,
      elapsedMs: this.#elapsedMs,
      work: [
        [options.tickMs, () => this.tick()],
        [beatMs / BEAT_CHECKS, () => this.beat()],
        [lingerMs / 2, () => this.forgetUnheard()],
      ],
      onLeft: (connection) => this.#unsubscribeAll(connection),
      // The news are remembered for those who come back.
      onIdle: () => {
        for (const { resolve } of this.#joined.splice(0)) resolve(false);
      },
    });
  }

  /** Effects to subscribe to the engine. */
  get effects(): ChannelEffects {
    return this.#catalog.effects;
  }

  /** Public channels that are kept, listened to or not. */
  get channelCount(): number {
    return this.#catalog.publicCount;
  }

  /** Adds a connected socket, which listens to nothing yet. */
  add(options: Pick<ConnectionOptions, 'socket' | 'connection'>): Connection {
    const { seq } = this.#options.state;
    const parts = { ...options, limits: this.#limits, elapsedMs: this.#elapsedMs, seq };
    const connection = new Connection(parts);
    if (this.clients.size === 0) this.forgetUnheard();
    this.clients.add(connection);
    return connection;
  }

  /** The channel with a name (for a private one that of the account), or why it has ended; null for an unknown name. */
  find(name: string, account: Account | null): Channel | EndReason | null {
    if (!isPrivateName(name)) return this.#catalog.open(name);
    return account === null ? null : this.#catalog.openPrivate(name, account);
  }

  /**
   * Has a connection listen to a channel: its first message comes with the next tick, that of missed fills at once.
   * Resolves then, with whether there was nothing to send (STR-4).
   */
  subscribe(connection: Connection, channel: Channel, { seq, after }: Asked): Promise<boolean> {
    this.unsubscribe(connection, channel.name);
    const { holder } = connection;
    const first = after === undefined ? null : this.#catalog.fillsAfter(holder!.account, after);
    const subscription = new Subscription(connection, channel, first);
    connection.subscriptions.set(channel.name, subscription);
    channel.join(subscription);
    if (first !== null) return Promise.resolve(this.#beginNow(subscription));
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#joined.push({ connection, subscription, knownSeq: seq ?? null, resolve });
    return promise;
  }

  unsubscribe(connection: Connection, name: string): void {
    const subscription = connection.subscriptions.get(name);
    if (subscription === undefined) return;
    connection.subscriptions.delete(name);
    connection.forget(subscription);
    subscription.channel.leave(subscription, this.#elapsedMs());
  }

  /** Says goodbye to every client. */
  stop(): void {
    this.#flush();
    this.clients.close();
  }

  /** Sends what changed since the last tick; automatic while there are clients. */
  tick(): void {
    if (this.#options.isCurrent?.() === false) this.clients.dropAll();
    this.clients.expire(this.#options.now(), (connection) => this.#unsubscribeAll(connection));
    this.#giveUpSlow();
    this.#flush();
  }

  /** Sends the beats that are due; automatic while there are clients (STR-5). */
  beat(): void {
    if (this.#options.isCurrent?.() === false) return;
    const nowMs = this.#elapsedMs();
    for (const connection of this.clients) connection.beat(nowMs);
  }

  /** Forgets the channels to which nobody has listened for a while; automatic while there are clients. */
  forgetUnheard(): void {
    this.#catalog.forgetUnheard(this.#elapsedMs() - this.#limits.lingerMs);
  }

  /** Fills that the state has now may be gone by the next tick. */
  #beginNow(subscription: Subscription): boolean {
    const { channel } = subscription;
    channel.tick(this.#options.state.seq);
    return channel.begin(subscription, null);
  }

  #unsubscribeAll(connection: Connection): void {
    for (const name of [...connection.subscriptions.keys()]) this.unsubscribe(connection, name);
  }

  #giveUpSlow(): void {
    for (const connection of this.clients) {
      if (!connection.isTooSlow) continue;
      this.#unsubscribeAll(connection);
      connection.giveUp();
    }
  }

  #flush(): void {
    for (const connection of this.clients) connection.begin();
    this.#catalog.tick();
    this.#begin();
    for (const connection of this.clients) {
      if (connection.behind.size > 0 && !connection.isBehind)
        for (const subscription of connection.takeBehind()) subscription.channel.catchUp(subscription);
      connection.ticked(this.#options.state.seq);
    }
  }

  /** First messages of public channels wait, too, for one that does not read. */
  #begin(): void {
    const joined = this.#joined;
    this.#joined = [];
    for (const one of joined) {
      const { connection, subscription, knownSeq, resolve } = one;
      const { channel } = subscription;
      if (connection.subscriptions.get(channel.name) !== subscription) resolve(false);
      else if (!channel.isPrivate && connection.isBehind) this.#joined.push(one);
      else resolve(channel.begin(subscription, knownSeq));
    }
  }
}
