/**
 * Nonces of a session key shared by all tabs of a browser: each is valid once, whichever tab sends it (SIG-4). The last
 * one is kept in the browser's storage, and a lock keeps two tabs from taking the same.
 */

/** How far a nonce may deviate from the venue's time (SIG-5). */
const WINDOW_MS = 60_000;
const PREFIX = 'venue nonce ';

/** The browser features used; each may be missing. */
export interface SharedPlace {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null;
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
    try {
      this.#place.storage?.setItem(name, String(nonce));
    } catch {
      // Storage full or refused: this tab at least continues alone.
    }
    return nonce;
  }

  #last(name: string): number {
    const own = this.#own.get(name) ?? 0;
    try {
      const shared = Number(this.#place.storage?.getItem(name) ?? 0);
      return Number.isSafeInteger(shared) ? Math.max(own, shared) : own;
    } catch {
      return own;
    }
  }
}

/** The browser's storage and locks, as far as available. */
export function browserPlace(): SharedPlace {
  let storage: Storage | null = null;
  try {
    storage = localStorage;
  } catch {
    // A browser that refuses storage throws on access to the name itself.
  }
  return { storage, locks: navigator.locks ?? null };
}
