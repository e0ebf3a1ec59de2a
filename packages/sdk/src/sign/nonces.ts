/** Nonces of session keys: the time in milliseconds, never the same twice (SIG-4). */

/** Largest difference between a nonce and the venue's time, in either direction (SIG-5). */
const WINDOW_MS = 60_000;

/**
 * Nonces of one session key. They follow the clock; if the clock stops or steps back, they advance by one.
 *
 * @example new Nonces().next()
 */
export class Nonces {
  readonly #now: () => number;
  /** Spans of used nonces, the current one last; a clock that steps far back starts another. */
  readonly #spans: { readonly from: number; to: number }[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** An unused nonce: the time, or the next free one. */
  next(now = this.#now()): number {
    const span = this.#spans.at(-1) ?? { from: 0, to: 0 };
    // The venue would accept none that far ahead of the clock until the clock has caught up.
    let nonce = span.to > now + WINDOW_MS ? now : Math.max(span.to + 1, now);
    for (let taken = this.#taken(nonce); taken !== undefined; taken = this.#taken(nonce))
      nonce = taken.to + 1;
    if (nonce > span.to && this.#spans.length > 0) span.to = nonce;
    else this.#spans.push({ from: nonce, to: nonce });
    return nonce;
  }

  /** Makes the next nonces higher than one that another program has used, or this one when its clock was ahead. */
  raiseAbove(nonce: number): void {
    if (nonce > (this.#spans.at(-1)?.to ?? 0)) this.#spans.push({ from: nonce, to: nonce });
  }

  #taken(nonce: number) {
    return this.#spans.find(({ from, to }) => nonce >= from && nonce <= to);
  }
}

/** One for the whole process, even if it has loaded several of the client's doors. */
const SHARED = Symbol.for('@venue/sdk nonces');
const shared = globalThis as { [SHARED]?: Map<string, Nonces> };
shared[SHARED] ??= new Map();
const BY_KEY = shared[SHARED];

/** The nonces of a session key, shared by every client of this process that signs with it. */
export function noncesOf(sessionKey: string): Nonces {
  const key = sessionKey.toLowerCase();
  const nonces = BY_KEY.get(key) ?? new Nonces();
  BY_KEY.set(key, nonces);
  return nonces;
}
