/** Judges by the beats of the venue which channels miss messages, and what to do about it (STR-5). */

import type { StreamBeat } from '@venue/protocol';
import type { Topic } from './channel-topic.ts';

/** After so many beats in a row that show a channel short, another connection is tried, once. */
const LINE_BEATS = 2;

/** A channel of this client. */
export interface Followed {
  readonly topics: ReadonlySet<Topic>;
  /** True while the answer to a subscription is on its way: the beat is about the one before. */
  readonly isAwaited: boolean;
}

export interface Verdict {
  /** Channels that miss messages: they are no longer right, and are subscribed to again. */
  readonly short: readonly string[];
  /** One of them that a new subscription did not help: this connection will not bring its messages. */
  readonly lineFault: string | null;
}

export class KeptUp {
  /** By channel: beats in a row that showed it short. */
  readonly #misses = new Map<string, number>();

  judge({ sent = {}, ended = [] }: StreamBeat, find: (name: string) => Followed | null): Verdict {
    const short: string[] = [];
    let lineFault: string | null = null;
    // One that ended has no topic left, unless its last message is missing.
    const named = [
      ...Object.entries(sent),
      ...ended.map((name) => [name, Number.POSITIVE_INFINITY] as const),
    ];
    for (const [name, seq] of named) {
      const channel = find(name);
      if (channel?.isAwaited) continue;
      if (channel === null || [...channel.topics].every((topic) => topic.has(seq))) {
        this.#misses.delete(name);
        continue;
      }
      const misses = (this.#misses.get(name) ?? 0) + 1;
      this.#misses.set(name, misses);
      short.push(name);
      if (misses === LINE_BEATS) lineFault ??= name;
    }
    for (const name of this.#misses.keys()) if (find(name) === null) this.#misses.delete(name);
    return { short, lineFault };
  }
}
