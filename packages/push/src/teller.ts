/** Joins the news of each account and turns them into messages, one for each device that wants them (PUSH-6). */

import { hash } from 'node:crypto';
import type { State } from '@venue/engine';
import type { Address, NewsKind, PushMessage } from '@venue/protocol';
import type { Gathered } from './collector.ts';
import type { Place } from './follow.ts';
import { joined, type News, wordsOf } from './news.ts';
import type { Device, PushStore, Waiting } from './store.ts';

/** The first news wait this long for more of the same. */
const JOIN_MS = 1_500;
/** Later ones wait until so long after the last message of their kind. */
const INTERVAL_MS = 30_000;
/** A device that is out of reach keeps no more than this. */
const MESSAGES_PER_DEVICE_MAX = 20;
const NEWS_AT_A_TIME = 200;

export interface TellerOptions {
  readonly store: PushStore;
  readonly state: State;
  /** The key in force: devices that were turned on with another one cannot be told. */
  readonly publicKey: string;
  readonly ageMs: number;
  /** Unix ms. */
  readonly clock: () => number;
}

export class Teller {
  readonly #options: TellerOptions;
  /** When an account was last told of a kind, unix ms. */
  readonly #toldAt = new Map<string, number>();
  /** The kinds that the devices of an account want. */
  readonly #wanted = new Map<Address, ReadonlySet<NewsKind>>();

  constructor(options: TellerOptions) {
    this.#options = options;
    const { store, clock, ageMs } = options;
    store.dropNewsBefore(clock() - ageMs);
    for (const { account } of store.devices()) if (!this.#wanted.has(account)) this.devicesChanged(account);
  }

  isWanted(account: Address, kind: NewsKind): boolean {
    return this.#wanted.get(account)?.has(kind) === true;
  }

  /** Call it after a device of the account was turned on or off. */
  devicesChanged(account: Address): void {
    const kinds = this.#options.store.devicesOf(account).flatMap((device) => device.kinds);
    if (kinds.length === 0) this.#wanted.delete(account);
    else this.#wanted.set(account, new Set(kinds));
  }

  /** Keeps what was gathered, together with the place in the log that it comes from. */
  keep(gathered: Gathered, place: Place): void {
    const { store } = this.#options;
    store.together(() => {
      for (const [account, byKind] of gathered) {
        for (const [kind, news] of byKind) this.#put(account, kind, news);
      }
      store.setPlace(place);
    });
  }

  #put(account: Address, kind: NewsKind, news: News): void {
    const { store, clock } = this.#options;
    const known = store.waiting(account, kind);
    if (known !== null) {
      store.putWaiting({ ...known, news: joined(known.news, news) });
      return;
    }
    const now = clock();
    const last = this.#toldAt.get(`${account} ${kind}`) ?? Number.NEGATIVE_INFINITY;
    // A clock that was set back does not hold news up.
    const since = Math.max(0, now - last);
    const due = now + Math.max(JOIN_MS, INTERVAL_MS - since);
    store.putWaiting({ account, kind, tag: tagOf(account, news), due, news });
  }

  /** Makes messages of the news whose time has come. Returns how many it made. */
  tell(): number {
    const { store, clock } = this.#options;
    const now = clock();
    const due = store.dueNews(now, now + 2 * INTERVAL_MS, NEWS_AT_A_TIME);
    if (due.length === 0) return 0;
    return store.together(() => due.reduce((made, waiting) => made + this.#tellOne(waiting, now), 0));
  }

  #tellOne({ account, kind, tag, news }: Waiting, now: number): number {
    const { store } = this.#options;
    store.dropWaiting(account, kind);
    this.#toldAt.set(`${account} ${kind}`, now);
    const devices = this.#devicesToTell(account, kind);
    const message: PushMessage = { v: 1, kind, ...wordsOf(news), at: news.at, tag };
    const payload = JSON.stringify(message);
    for (const { id, endpoint } of devices) {
      const { host } = new URL(endpoint);
      store.addMessage({ account, device: id, host, kind, payload, made: now });
      store.boundMessages(account, id, MESSAGES_PER_DEVICE_MAX);
    }
    return devices.length;
  }

  #devicesToTell(account: Address, kind: NewsKind): Device[] {
    const { store, publicKey } = this.#options;
    this.dropRevoked(store.devicesOf(account));
    const devices = store.devicesOf(account);
    return devices.filter((device) => device.kinds.includes(kind) && device.publicKey === publicKey);
  }

  /** Forgets those among the devices whose session was revoked: a thief of its key may have turned them on (PUSH-3). */
  dropRevoked(devices: readonly Device[]): void {
    const { store, state } = this.#options;
    for (const { account, id, sessionKey } of devices) {
      const session = state.accountByAddress.get(account)?.sessions.get(sessionKey);
      if ((session?.revokedAt ?? null) === null) continue;
      store.dropDevice(account, id);
      this.devicesChanged(account);
    }
  }
}

/** The same for the same news after a restart, so that a device shows them once. */
function tagOf(account: Address, { kind, since }: News): string {
  return hash('sha256', `${account} ${kind} ${isLatest(kind) ? '' : since}`, 'base64url').slice(0, 32);
}

/** News of which only the newest count. */
function isLatest(kind: NewsKind): boolean {
  return kind === 'margin' || kind === 'liquidation';
}
