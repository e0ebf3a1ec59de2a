/** The stream: every tick sends what changed, public frames to all clients, private ones to the account's holders. */

import type { Account, State } from '@venue/engine';
import { Changes } from './changes.ts';
import { type Joining, type QueueLimits, StreamClient } from './client.ts';
import { ConnectedSockets, type LivenessLimits } from './connected-sockets.ts';
import { accountFrame, fillFrame, ordersFrame, spotsFrame, tapeFrame } from './frames.ts';
import { FrameBytes } from './wire.ts';

export interface StreamLimits extends QueueLimits, LivenessLimits {}

export const STREAM_LIMITS: StreamLimits = {
  pingMs: 20_000,
  silenceMs: 90_000,
  queueMax: 512,
  queueBytesMax: 4 * 1_048_576,
};

export interface HubOptions {
  readonly state: State;
  /** Unix milliseconds; decides whether prices are fresh. */
  readonly now: () => number;
  /** Monotonic milliseconds, to measure silence; by default those of this process. */
  readonly elapsedMs?: () => number;
  readonly tickMs: number;
  /** A node that is not current drops its clients: they find another node, or return later. */
  readonly isCurrent?: () => boolean;
  readonly limits?: StreamLimits;
  /** Called after each tick with the number of clients. */
  readonly onSent?: (clients: number) => void;
}

export class StreamHub {
  readonly #options: HubOptions;
  readonly #limits: StreamLimits;
  readonly #elapsedMs: () => number;
  readonly clients: ConnectedSockets<StreamClient>;
  readonly #holders = new Map<Account, Set<StreamClient>>();
  readonly #changes: Changes;
  /** Spots last sent to all; null if none were sent yet. */
  #spotsSent: Buffer | null = null;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#limits = options.limits ?? STREAM_LIMITS;
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
    this.clients = new ConnectedSockets({
      limits: this.#limits,
      elapsedMs: this.#elapsedMs,
      work: [[options.tickMs, () => this.#tick()]],
      onLeft: (client) => this.#tellNothingPrivate(client),
      onIdle: () => {
        // Nothing is kept for future clients.
        this.#changes.take();
        this.#spotsSent = null;
      },
    });
    this.#changes = new Changes({
      any: () => this.clients.size > 0,
      of: (account) => this.#holders.has(account),
    });
  }

  /** Effects to subscribe to the engine. */
  get effects(): Changes {
    return this.#changes;
  }

  /** Adds a connected socket. With an account it first gets that account, then its orders (FINE-18). */
  add(joining: Joining): void {
    // Earlier events go to earlier clients only.
    this.#flush();
    const { holder } = joining;
    const client = new StreamClient({ ...joining, elapsedMs: this.#elapsedMs, limits: this.#limits });
    this.clients.add(client);
    if (holder === null) return;
    this.#tellPrivate(client, holder.account);
    const { state } = this.#options;
    client.gather(new FrameBytes([accountFrame(state, holder.account), ordersFrame(state, holder.account)]));
    client.write();
  }

  /** Says goodbye to every client. */
  stop(): void {
    this.#flush();
    this.clients.close();
  }

  #tellPrivate(client: StreamClient, account: Account): void {
    const holders = this.#holders.get(account);
    if (holders === undefined) this.#holders.set(account, new Set([client]));
    else holders.add(client);
  }

  #tellNothingPrivate(client: StreamClient): void {
    if (client.holder === null) return;
    const { account } = client.holder;
    const holders = this.#holders.get(account);
    holders?.delete(client);
    if (holders?.size === 0) this.#holders.delete(account);
  }

  /** Queues are checked only here: flushing for a newcomer may follow a tick before its frames could leave. */
  #tick(): void {
    if (this.#options.isCurrent?.() === false) this.clients.dropAll();
    for (const client of this.clients) if (client.isBehind) client.drop();
    this.#flush();
  }

  #flush(): void {
    this.clients.expire(this.#options.now(), (client) => this.#tellNothingPrivate(client));
    const { state } = this.#options;
    const { spots, prints, fills, accounts, orders } = this.#changes.take();
    this.#gather(this.clients, [...(spots ? this.#spotsNews() : []), ...prints.map(tapeFrame)]);
    for (const [account, rows] of fills) this.#gatherPrivate(account, () => rows.map(fillFrame));
    for (const account of accounts) this.#gatherPrivate(account, () => [accountFrame(state, account)]);
    for (const account of orders) this.#gatherPrivate(account, () => [ordersFrame(state, account)]);
    for (const client of this.clients) client.write();
    this.#options.onSent?.(this.clients.size);
  }

  /** A spot that moved and returned within a tick is not sent. */
  #spotsNews(): Buffer[] {
    const { state, now } = this.#options;
    const frame = spotsFrame(state, now());
    if (this.#spotsSent?.equals(frame)) return [];
    this.#spotsSent = frame;
    return [frame];
  }

  #gatherPrivate(account: Account, frames: () => Buffer[]): void {
    const holders = this.#holders.get(account);
    if (holders !== undefined) this.#gather(holders, frames());
  }

  /** Encodes each frame once for all clients. */
  #gather(clients: Iterable<StreamClient>, frames: readonly Buffer[]): void {
    if (frames.length === 0) return;
    const made = new FrameBytes(frames);
    for (const client of clients) client.gather(made);
  }
}
