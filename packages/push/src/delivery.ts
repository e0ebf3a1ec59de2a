/** Sends the messages that wait: many at once, each until its push service has taken it or it is old (PUSH-5). */

import type { Address } from '@venue/protocol';
import type { Sender, Sent } from './sender.ts';
import type { Message, PushStore } from './store.ts';

const UNDER_WAY_MAX = 32;
/** One push service that hangs leaves room for the others. */
const UNDER_WAY_PER_HOST_MAX = 16;
const FIRST_RETRY_MS = 2_000;
const RETRY_MS_MAX = 5 * 60_000;
const ATTEMPTS_MAX = 10;
/** How many due messages one look reads; those under way are among them. */
const LOOKED_AT = 2 * UNDER_WAY_MAX;

export interface DeliveryOptions {
  readonly store: PushStore;
  readonly sender: Pick<Sender, 'send'>;
  readonly ageMs: number;
  /** Unix ms. */
  readonly clock: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onSent: (outcome: Outcome, why: string) => void;
  /** A device of these accounts was forgotten, because its push service no longer knows it. */
  readonly onGone: (accounts: readonly Address[]) => void;
  /** The outcome of a message could not be written to the file. */
  readonly onError: (error: unknown) => void;
}

export type Outcome = Sent['kind'] | 'given up';

export class Delivery {
  readonly #options: DeliveryOptions;
  /** By number. */
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #byHost = new Map<string, number>();
  /** Messages whose outcome the file did not take: this process does not send them again. */
  readonly #unwritten = new Set<number>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Starts sending due messages, as far as there is room. */
  pump(): void {
    const { store, clock, ageMs } = this.#options;
    const now = clock();
    const dropped = store.dropMessagesOutside(now - ageMs, now + ageMs);
    for (let i = 0; i < dropped; i += 1) this.#options.onSent('given up', 'old');
    if (this.#underWay.size >= UNDER_WAY_MAX) return;
    const full = [...this.#byHost].flatMap(([host, n]) => (n < UNDER_WAY_PER_HOST_MAX ? [] : [host]));
    for (const message of store.dueMessages(now, now + 2 * RETRY_MS_MAX, LOOKED_AT, full)) {
      if (this.#underWay.size >= UNDER_WAY_MAX) return;
      if (!this.#underWay.has(message.n) && !this.#unwritten.has(message.n)) this.#begin(message);
    }
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  #begin(message: Message): void {
    const { store, sender } = this.#options;
    const device = store.device(message.account, message.device);
    if (device === null) {
      store.dropMessage(message.n);
      return;
    }
    const { host } = message;
    const ofHost = this.#byHost.get(host) ?? 0;
    if (ofHost >= UNDER_WAY_PER_HOST_MAX) return;
    this.#byHost.set(host, ofHost + 1);
    const work = sender
      .send(device, message)
      .then((sent) => this.#done(message, sent))
      .catch((error: unknown) => {
        this.#unwritten.add(message.n);
        this.#options.onError(error);
      })
      .finally(() => {
        this.#underWay.delete(message.n);
        this.#byHost.set(host, this.#byHost.get(host)! - 1);
      });
    this.#underWay.set(message.n, work);
  }

  #done(message: Message, sent: Sent): void {
    const { store, onSent, onGone } = this.#options;
    if (sent.kind === 'later') {
      this.#later(message, sent.afterMs, sent.why);
      return;
    }
    onSent(sent.kind, sent.kind === 'refused' ? sent.why : '');
    if (sent.kind === 'gone') {
      onGone(store.together(() => store.dropEverywhere(message.device)));
    } else store.dropMessage(message.n);
  }

  #later(message: Message, afterMs: number | null, why: string): void {
    const { store, clock, random, onSent } = this.#options;
    if (message.attempts + 1 >= ATTEMPTS_MAX) {
      store.dropMessage(message.n);
      onSent('given up', why);
      return;
    }
    const backoffMs = FIRST_RETRY_MS * 2 ** message.attempts * (0.5 + random() / 2);
    const waitMs = Math.min(RETRY_MS_MAX, Math.max(backoffMs, afterMs ?? 0));
    store.postpone(message.n, clock() + Math.ceil(waitMs));
    onSent('later', why);
  }
}
