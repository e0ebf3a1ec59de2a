/** One channel: what it shows, who listens, and the entry after which it is so (STR-2). */

import { MessageBytes } from '../wire.ts';
import { type Change, type Content, membersOf } from './content.ts';
import type { EndReason } from './ends.ts';
import { Recent } from './recent.ts';

/** A connection as its channels see it. */
export interface Listener {
  /** True while so much is unread that public messages wait. */
  readonly isBehind: boolean;
  gather(message: MessageBytes, isPrivate: boolean): void;
  fellBehind(subscription: Subscription): void;
  /** The channel has ended: takes its last message, and forgets it. */
  ended(subscription: Subscription, message: MessageBytes): void;
}

/** One channel of one connection. */
export class Subscription {
  readonly listener: Listener;
  readonly channel: Channel;
  /** The entry of the last message that the connection was sent; null until its snapshot, which is due. */
  seq: number | null = null;
  /** The entry that the client knows to be that of the last message, by a beat or by itself (STR-5). */
  beatSeq: number | null = null;
  /** Content of a first message that takes the place of a full snapshot. */
  readonly first: (() => string) | null;

  constructor(listener: Listener, channel: Channel, first: (() => string) | null = null) {
    this.listener = listener;
    this.channel = channel;
    this.first = first;
  }
}

export interface ChannelOptions {
  /** As clients name it. */
  readonly name: string;
  readonly content: Content;
  /** True for a channel of one account, of which every event is sent. */
  readonly isPrivate: boolean;
  /** The last entry when it was opened. */
  readonly seq: number;
}

export class Channel {
  readonly name: string;
  readonly content: Content;
  readonly isPrivate: boolean;
  readonly #subscriptions = new Set<Subscription>();
  /** Connections that are behind; what they miss is kept while there are any. */
  readonly #behind = new Set<Subscription>();
  #recent: Recent | null = null;
  /** The monotonic milliseconds at which the last listener left. */
  #unheardAtMs = Number.NEGATIVE_INFINITY;
  #seq: number;
  /** Since this entry nothing can have changed in between, not even to and fro. */
  #stillSince: number;
  #version: number | undefined;
  #snapshot: MessageBytes | null = null;

  constructor({ name, content, isPrivate, seq }: ChannelOptions) {
    this.name = name;
    this.content = content;
    this.isPrivate = isPrivate;
    this.#seq = seq;
    this.#stillSince = seq;
    this.#version = content.version;
  }

  get isHeard(): boolean {
    return this.#subscriptions.size > 0;
  }

  /** Returns true if nobody has listened since the given moment. */
  isUnheardSince(ms: number): boolean {
    return !this.isHeard && this.#unheardAtMs <= ms;
  }

  /** Since this entry nothing has changed. */
  get seq(): number {
    return this.#seq;
  }

  /** Why nothing changes in it any more; null while something may (STR-5). */
  get ended(): EndReason | null {
    return this.content.ended ?? null;
  }

  /** Something changed with an entry while nobody listened. */
  changedAt(seq: number): void {
    this.#seq = seq;
    this.#stillSince = seq;
    this.#snapshot = null;
  }

  join(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
  }

  leave(subscription: Subscription, nowMs: number): void {
    this.#subscriptions.delete(subscription);
    this.#unheardAtMs = nowMs;
    this.#caughtUp(subscription);
  }

  /** Sends what changed up to an entry, in one delta that is written once for all who listen. */
  tick(seq: number): void {
    const changes = this.content.changes();
    const { version = seq } = this.content;
    if (changes.length > 0 || version !== this.#version) this.#stillSince = seq;
    this.#version = version;
    if (changes.length === 0) return;
    const prevSeq = this.#seq;
    this.#seq = seq;
    this.#snapshot = null;
    if (this.isHeard) this.#spread(changes, prevSeq);
  }

  /**
   * Sends the first message to one that joined, unless it knows all since its entry (STR-4); then returns true. One that
   * comes from another node, whose ticks are at other moments, may have been shown what here was undone within a tick.
   */
  begin(subscription: Subscription, knownSeq: number | null): boolean {
    const isKnown = knownSeq !== null && (knownSeq === this.#seq || knownSeq >= this.#stillSince);
    if (isKnown) subscription.seq = subscription.beatSeq = knownSeq;
    else this.#sendSnapshot(subscription);
    return isKnown;
  }

  /** Sends one that was behind what it missed. */
  catchUp(subscription: Subscription): void {
    const changes = this.#recent?.after(subscription.seq!) ?? null;
    this.#caughtUp(subscription);
    if (changes === null) this.#sendSnapshot(subscription);
    else if (changes.length > 0) this.#send(subscription, this.#delta(changes, subscription.seq!));
  }

  /** Sends the last message to all who listen, also to those who are behind: what they miss is over (STR-5). */
  end(seq: number, reason: EndReason): void {
    const message = new MessageBytes(JSON.stringify({ channel: this.name, type: 'end', seq, reason }));
    for (const subscription of this.#subscriptions) subscription.listener.ended(subscription, message);
    this.#subscriptions.clear();
    this.#behind.clear();
    this.#recent = null;
  }

  #spread(changes: readonly Change[], prevSeq: number): void {
    const members = membersOf(changes);
    const common = this.#message(`"type":"delta","prevSeq":${prevSeq}`, members);
    for (const subscription of this.#subscriptions) {
      const { seq, listener } = subscription;
      if (seq === null || (this.#behind.size > 0 && this.#behind.has(subscription))) continue;
      if (!this.isPrivate && listener.isBehind) this.#fallBehind(subscription, prevSeq);
      else if (seq === prevSeq) this.#send(subscription, common);
      // It resumed from another entry, between which nothing had changed.
      else this.#send(subscription, this.#message(`"type":"delta","prevSeq":${seq}`, members));
    }
    this.#recent?.add(changes, this.#seq);
  }

  #fallBehind(subscription: Subscription, prevSeq: number): void {
    this.#recent ??= new Recent(prevSeq);
    this.#behind.add(subscription);
    subscription.listener.fellBehind(subscription);
  }

  #caughtUp(subscription: Subscription): void {
    this.#behind.delete(subscription);
    if (this.#behind.size === 0) this.#recent = null;
  }

  #sendSnapshot(subscription: Subscription): void {
    if (subscription.first !== null) {
      this.#send(subscription, this.#message('"type":"snapshot"', subscription.first()));
      return;
    }
    this.#snapshot ??= this.#message('"type":"snapshot"', this.content.snapshot());
    this.#send(subscription, this.#snapshot);
  }

  #delta(changes: readonly Change[], prevSeq: number): MessageBytes {
    return this.#message(`"type":"delta","prevSeq":${prevSeq}`, membersOf(changes));
  }

  #message(head: string, members: string): MessageBytes {
    return new MessageBytes(`{"channel":${JSON.stringify(this.name)},${head},"seq":${this.#seq},${members}}`);
  }

  #send(subscription: Subscription, message: MessageBytes): void {
    subscription.seq = this.#seq;
    subscription.listener.gather(message, this.isPrivate);
  }
}
