/** One channel as its reader follows it through connections: what it knows, and whether that is right (STR-2, STR-4). */

import type { ChannelRequest } from '@venue/protocol';
import type { ChannelMessage } from './channel-link.ts';

/** Receives what comes of a channel. */
export interface TopicHandlers {
  readonly onMessage: (message: ChannelMessage) => void;
  /** Called with true when everything up to now has been delivered, with false when that is no longer sure. */
  readonly onRight?: (isRight: boolean) => void;
  /** The venue refuses the channel, or has ended it (`ChannelEndedError`); it is not asked for again. */
  readonly onRefused: (reason: Error) => void;
}

export class Topic {
  readonly name: string;
  readonly handlers: TopicHandlers;
  #seq: number | null = null;
  /** The entry of the last message of the present subscription; null before it. */
  #current: number | null = null;
  #isRight = false;

  constructor(name: string, handlers: TopicHandlers) {
    this.name = name;
    this.handlers = handlers;
  }

  /** The position it resumes from, or null. */
  get mark(): number | null {
    return this.#seq;
  }

  /** The subscription to send: a resumption once something is known. */
  get request(): ChannelRequest {
    return this.#seq === null ? this.name : { channel: this.name, seq: this.#seq };
  }

  /** The subscription to send for several readers that know different entries. */
  requestOfAll(_others: readonly Topic[]): ChannelRequest {
    return this.name;
  }

  /** True if the message of an entry, or a later one, has come. */
  has(seq: number): boolean {
    return this.#current !== null && this.#current >= seq;
  }

  /** The venue says that nothing has changed since. */
  resumed(): void {
    this.#current = this.#seq;
    this.#turn(true);
  }

  /** The connection is lost, or a message. */
  lost(): void {
    this.#current = null;
    this.#turn(false);
  }

  /** Delivers the next message. Returns false for one that does not follow the last: then only a snapshot helps. */
  take(message: ChannelMessage): boolean {
    if (message.type === 'delta' && message.prevSeq !== this.#seq) {
      this.#seq = null;
      this.lost();
      return false;
    }
    this.#seq = this.#current = message.seq;
    this.handlers.onMessage(message);
    this.#turn(true);
    return true;
  }

  #turn(isRight: boolean): void {
    if (isRight === this.#isRight) return;
    this.#isRight = isRight;
    this.handlers.onRight?.(isRight);
  }
}

/** The fills of an account, which resume by the id of the last one. */
export class FillsTopic extends Topic {
  #after: number | null;

  constructor(after: number | null, handlers: TopicHandlers) {
    super('fills', handlers);
    this.#after = after;
  }

  /** Continues after a fill. */
  moveTo(after: number): void {
    this.#after = Math.max(after, this.#after ?? 0);
  }

  override get mark(): number | null {
    return this.#after;
  }

  override get request(): ChannelRequest {
    return this.#after === null ? 'fills' : { channel: 'fills', after: this.#after };
  }

  override requestOfAll(others: readonly Topic[]): ChannelRequest {
    const marks = [this, ...others].flatMap(({ mark }) => (mark === null ? [] : [mark]));
    return { channel: 'fills', after: Math.min(...marks) };
  }
}
