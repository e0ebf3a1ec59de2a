/**
 * The beats of one connection, by which its client tells a channel in which nothing changes from one whose messages do
 * not arrive (STR-5).
 */

import type { Subscription } from './channel.ts';

/** Looks for due beats within the time between two: those of many connections do not fall into one moment. */
export const BEAT_CHECKS = 50;

export class Beats {
  /** After so long the next look would be too late. */
  readonly #dueAfterMs: number;
  /** The moment from which the next one is timed. */
  #fromMs: number;
  /** The entry up to which all messages of every channel have been sent. */
  #seq: number;
  /** False while public messages are held back. */
  #isWhole = true;
  /** Channels that ended since the last beat. */
  #ended: string[] = [];

  constructor(options: { readonly beatMs: number; readonly nowMs: number; readonly seq: number }) {
    const { beatMs } = options;
    this.#dueAfterMs = beatMs - beatMs / BEAT_CHECKS;
    this.#fromMs = options.nowMs;
    this.#seq = options.seq;
  }

  /** Call at the end of each tick with its entry, or with null where something was held back. */
  ticked(seq: number | null): void {
    this.#isWhole = seq !== null;
    this.#seq = seq ?? this.#seq;
  }

  ended(name: string): void {
    this.#ended.push(name);
  }

  /** Returns the beat if one is due. Call it between ticks, so that it names no message before its request is answered. */
  take(nowMs: number, subscriptions: ReadonlyMap<string, Subscription>): string | null {
    if (subscriptions.size === 0 && this.#ended.length === 0) this.#fromMs = nowMs;
    if (nowMs - this.#fromMs < this.#dueAfterMs) return null;
    this.#fromMs = nowMs;
    const ended = this.#ended;
    this.#ended = [];
    const sent = this.#isWhole ? sentSince(subscriptions) : '';
    return [
      `{"type":"beat","seq":${this.#seq}`,
      ...(sent === '' ? [] : [`"sent":{${sent}}`]),
      ...(ended.length === 0 ? [] : [`"ended":${JSON.stringify(ended)}`]),
    ]
      .join(',')
      .concat('}');
  }
}

/** Each channel that was sent something since the beat before, with the entry of its last message. */
function sentSince(subscriptions: ReadonlyMap<string, Subscription>): string {
  const members: string[] = [];
  for (const [name, subscription] of subscriptions) {
    const { seq } = subscription;
    if (seq === null || seq === subscription.beatSeq) continue;
    subscription.beatSeq = seq;
    members.push(`${JSON.stringify(name)}:${seq}`);
  }
  return members.join(',');
}
