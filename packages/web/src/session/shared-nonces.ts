/**
 * Nonces of a session key shared by all tabs of a browser: each is valid once, whichever tab sends it (SIG-4). The last
 * one is kept in the browser's storage, and a lock keeps two tabs from taking the same.
 */

import { readKept, type Storage, writeKept } from '../basics/kept.ts';

/** How far a nonce may deviate from the venue's time (SIG-5). */
const WINDOW_MS = 60_000;
const PREFIX = 'venue nonce ';

/** The browser features used; each may be missing. */
export interface SharedPlace {
  readonly storage: () => Storage;
  readonly locks: Pick<LockManager, 'request'> | null;
}

export class SharedNonces {
  readonly #place: SharedPlace;
  readonly #now: () => number;
  /** Fallback for a browser without storage. */
  readonly #own = new Map<string, number>();

  constructor(place: SharedPlace, now: () => number) {
    this.#place = place;
    this.#now = now;
  }

  /** The venue's time, or the next nonce that no tab has used. */
  readonly next = async (sessionKey: string): Promise<number> => {
    const { locks } = this.#place;
    const name = PREFIX + sessionKey.toLowerCase();
    // Locks need a secure context; without them there is a race of microseconds between read and write.
    return locks === null ? this.#take(name) : locks.request(name, async () => this.#take(name));
  };

  #take(name: string): number {
    const nowMs = Math.round(this.#now());
    const last = this.#last(name);
    // A nonce far ahead came from a wrong clock: the venue would accept none of its successors.
    const nonce = last > nowMs + WINDOW_MS / 2 ? nowMs : Math.max(last + 1, nowMs);
    this.#own.set(name, nonce);
    // Where it is not kept this tab at least continues alone.
    writeKept(this.#place.storage, name, nonce);
    return nonce;
  }

  #last(name: string): number {
    const own = this.#own.get(name) ?? 0;
    const shared = readKept(this.#place.storage, name);
    return Number.isSafeInteger(shared) ? Math.max(own, shared as number) : own;
  }
}

/** The browser's storage and locks, as far as available. */
export function browserPlace(): SharedPlace {
  return { storage: () => localStorage, locks: navigator.locks ?? null };
}
