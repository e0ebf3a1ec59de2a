/**
 * Nonces of a session key that all tabs of a browser sign with: a nonce counts once, whoever sends it (SIG-4). The last
 * one lies in the browser's storage, and a lock keeps two tabs from taking the same.
 */

/** How far a nonce may be from the venue's time (SIG-5). */
const WINDOW_MS = 60_000;
const PREFIX = 'venue nonce ';

/** What of the browser is used; each may be missing. */
export interface SharedPlace {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null;
  readonly locks: Pick<LockManager, 'request'> | null;
}

export class SharedNonces {
  readonly #place: SharedPlace;
  readonly #now: () => number;
  /** For a browser that keeps nothing. */
  readonly #own = new Map<string, number>();

  constructor(place: SharedPlace, now: () => number) {
    this.#place = place;
    this.#now = now;
  }

  /** The venue's time, or the next nonce that no tab has taken. */
  readonly next = async (sessionKey: string): Promise<number> => {
    const { locks } = this.#place;
    const name = PREFIX + sessionKey.toLowerCase();
    // Locks need a secure context; without them the moment between reading and writing is a risk of microseconds.
    return locks === null ? this.#take(name) : locks.request(name, async () => this.#take(name));
  };

  #take(name: string): number {
    const nowMs = Math.round(this.#now());
    const last = this.#last(name);
    // One that lies far ahead was taken by a clock that was wrong: the venue would take none that follow it.
    const nonce = last > nowMs + WINDOW_MS / 2 ? nowMs : Math.max(last + 1, nowMs);
    this.#own.set(name, nonce);
    try {
      this.#place.storage?.setItem(name, String(nonce));
    } catch {
      // A storage that is full or refused: this tab at least goes on by itself.
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

/** The storage and the locks of this browser, as far as it lets a page have them. */
export function browserPlace(): SharedPlace {
  let storage: Storage | null = null;
  try {
    storage = localStorage;
  } catch {
    // A browser that refuses storage throws at the name itself.
  }
  return { storage, locks: navigator.locks ?? null };
}
