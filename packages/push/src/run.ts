/** Runs the push process from its start to its stop. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '@venue/config';
import { openFollowedLog, type ReadOnlyLog } from '@venue/log';
import { whileServing } from '@venue/telemetry';
import { Collector } from './collector.ts';
import type { PushConfig } from './config.ts';
import { Delivery } from './delivery.ts';
import { openDoor } from './door.ts';
import { beginning, FollowedState, type FollowLogOptions, type Place } from './follow.ts';
import { keysOf } from './keys.ts';
import { PushMetrics } from './metrics.ts';
import { Register } from './register.ts';
import { Sender } from './sender.ts';
import { PushStore } from './store.ts';
import { Teller } from './teller.ts';

const TURN_MS = 250;
/** How often the place in the log is written when nothing is news, and its hash read from the log. */
const PLACE_MS = 2_000;
const PRUNE_MS = 60_000;
/** While the log has been silent for this long, nobody can turn a device on. */
const OUT_OF_TOUCH_MS = 5_000;
const STOP_LIMIT_MS = 3_000;

export interface RunPushOptions {
  readonly config: PushConfig;
  readonly signal: AbortSignal;
  /** Takes one human-readable line, which never holds an endpoint. */
  readonly log: (line: string) => void;
}

/**
 * Follows the log and tells devices the news of their accounts, until the signal aborts. Throws `ConfigError` and
 * `LogError` for a start that cannot succeed, and for a log that can no longer be followed.
 */
export async function runPush({ config, signal, log: say }: RunPushOptions): Promise<void> {
  const metrics = new PushMetrics();
  await whileServing(config.metricsPort, metrics.registry, async () => {
    const store = new PushStore(config.file);
    try {
      const log = await openFollowedLog(config.log, { onWarning: say });
      try {
        await new Push({ config, signal, say, metrics, store, log }).run();
      } finally {
        await log.close();
      }
    } finally {
      store.close();
    }
  });
  say('stopped');
}

interface Parts {
  readonly config: PushConfig;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly metrics: PushMetrics;
  readonly store: PushStore;
  readonly log: ReadOnlyLog;
}

class Push {
  readonly #parts: Parts;
  #place: Place = { seq: 0, anchorSeq: 0, anchorHash: '' };

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { config, signal, store, log, say } = this.#parts;
    const keys = keysOf(config.privateKey);
    const follow: FollowLogOptions = {
      ...{ log, place: store.place(), skipSeqs: config.skipSeqs, ageMs: config.ageMs, say },
      clock: Date.now,
      monotonicMs: () => performance.now(),
    };
    const began = await beginning(follow);
    const { state } = began;
    this.#place = { ...this.#place, seq: began.fromSeq };
    await this.#anchor();
    const { ageMs } = config;
    const teller = new Teller({ store, state, publicKey: keys.publicKey, ageMs, clock: Date.now });
    const collector = new Collector(state, (account, kind) => teller.isWanted(account, kind));
    const followed = new FollowedState(began, follow, {
      effects: collector.effects,
      before: (isTold) => collector.collect(isTold),
      after: (kind) => collector.afterEntry(kind),
      applied: () => this.#keep(teller, collector, state.seq),
    });
    await Promise.race([followed.start(), followed.failed, aborted(signal)]);
    if (signal.aborted) return followed.stop();
    if (state.venue === null)
      throw new ConfigError('the venue has no id yet: upgrade its nodes first, then start venue push');
    if (!store.isOf(state.venue))
      throw new ConfigError('VENUE_PUSH_STATE is of another venue: name another file');
    this.#sayOldKeys(keys.publicKey);
    try {
      await this.#serve({ keys, teller, followed, venue: state.venue });
    } finally {
      followed.stop();
    }
  }

  /** Keeps what is news, if anything is. */
  #keep(teller: Teller, collector: Collector, seq: number): void {
    const gathered = collector.take();
    if (seq <= this.#place.seq) return;
    this.#place = { ...this.#place, seq };
    if (gathered.size > 0) teller.keep(gathered, this.#place);
  }

  async #serve({ keys, teller, followed, venue }: Serving): Promise<void> {
    const { config, signal, store, log, say, metrics } = this.#parts;
    const { privateKey: _, ...rest } = config;
    const sender = new Sender({ keys, contact: rest.contact, services: rest.services });
    const delivery = this.#delivery(sender, teller);
    const register = new Register({
      ...{ store, state: followed.state, services: rest.services, publicKey: keys.publicKey },
      now: () => followed.clock.now(),
      place: () => this.#place,
      onChanged: (account) => teller.devicesChanged(account),
    });
    metrics.watch({
      devices: () => store.count(),
      messages: () => store.messageCount(),
      lagEntries: () => log.status().lagEntries,
      contactMs: () => log.status().lastContactMs,
    });
    const door = await openDoor({
      ...{ host: config.host, port: config.port, register },
      terms: { publicKey: keys.publicKey, venue },
      isCurrent: () => log.status().lastContactMs < OUT_OF_TOUCH_MS,
      onAnswered: (status) => metrics.answered(status),
      onError: (error) => say(`a request failed: ${nameOf(error)}`),
    });
    say(`push listening on ${door.url} | ${store.count()} devices`);
    try {
      await Promise.race([this.#turns({ teller, delivery, register }), followed.failed]);
    } finally {
      door.close();
      await Promise.race([delivery.idle(), sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
      sender.close();
      if (signal.aborted) store.setPlace(this.#place);
    }
  }

  #delivery(sender: Sender, teller: Teller): Delivery {
    const { config, store, say, metrics } = this.#parts;
    return new Delivery({
      ...{ store, sender, ageMs: config.ageMs, clock: Date.now, random: Math.random },
      onSent: (outcome, why) => {
        metrics.sent(outcome);
        if (outcome === 'refused' || outcome === 'given up') say(`a message was ${outcome}: ${why}`);
      },
      onGone: (accounts) => {
        for (const account of accounts) teller.devicesChanged(account);
      },
      onError: (error) => say(`sending failed: ${nameOf(error)}`),
    });
  }

  async #turns({ teller, delivery, register }: Turning): Promise<void> {
    const { signal, store } = this.#parts;
    let placedMs = Number.NEGATIVE_INFINITY;
    let prunedMs = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const now = performance.now();
      // First, so that with a full disk the process ends before it sends messages that it cannot mark as sent.
      if (now - placedMs > PLACE_MS) {
        placedMs = now;
        await this.#anchor();
        store.setPlace(this.#place);
      }
      teller.tell();
      delivery.pump();
      if (now - prunedMs > PRUNE_MS) {
        prunedMs = now;
        register.prune();
        teller.dropRevoked(store.devices());
      }
      await sleep(TURN_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Notes the hash of the newest batch, by which a later start knows the log. */
  async #anchor(): Promise<void> {
    const { seq, anchorSeq } = this.#place;
    if (seq === anchorSeq) return;
    // A log that is out of reach warns by itself.
    const [batch] = await this.#parts.log.readBatches(seq, seq).catch(() => []);
    if (batch !== undefined) this.#place = { ...this.#place, anchorSeq: seq, anchorHash: batch.hash };
  }

  #sayOldKeys(publicKey: string): void {
    const { store, say } = this.#parts;
    const old = store.devices().filter((device) => device.publicKey !== publicKey).length;
    if (old > 0)
      say(`${old} devices were turned on with another VENUE_PUSH_KEY: they are told nothing until renewed`);
  }
}

interface Serving {
  readonly keys: ReturnType<typeof keysOf>;
  readonly teller: Teller;
  readonly followed: FollowedState;
  readonly venue: string;
}

interface Turning {
  readonly teller: Teller;
  readonly delivery: Delivery;
  readonly register: Register;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // It may have come while a snapshot was restored, and it fires once.
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Without the message, which may hold anything. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'an error';
}
