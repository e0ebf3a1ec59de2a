/** With whom sessions of contract wallets have traded: who got money by an approval that may not be one (CUS-19). */

import { type Account, type Effects, type FillRecord, NO_EFFECTS } from '@venue/engine';
import type { Address } from '@venue/protocol';

/** A session key of an account. */
export interface SessionName {
  readonly address: Address;
  readonly sessionKey: Address;
}

/** A session that is watched, and with whom it has traded. */
export interface WatchedSession extends SessionName {
  readonly partners: readonly Address[];
}

interface FillOf {
  readonly account: Account;
  readonly fill: FillRecord;
}

/**
 * Follows the trades of the sessions that are watched. The two fills of a trade have consecutive numbers. A fill without
 * a signer, as of a quote set, counts for every watched session of its account. The venue's own accounts have no address,
 * and withdraw nothing.
 */
export class SessionTrades {
  /** By account, then by session key. */
  readonly #partners = new Map<Address, Map<Address, Set<Address>>>();
  #last: FillOf | null = null;
  readonly effects: Effects = { ...NO_EFFECTS, filled: (account, fill) => this.#filled({ account, fill }) };

  /** Begins to follow a session, or goes on. */
  watch({ address, sessionKey }: SessionName): void {
    const sessions = this.#partners.get(address) ?? new Map<Address, Set<Address>>();
    this.#partners.set(address, sessions);
    if (!sessions.has(sessionKey)) sessions.set(sessionKey, new Set());
  }

  forget({ address, sessionKey }: SessionName): void {
    const sessions = this.#partners.get(address);
    sessions?.delete(sessionKey);
    if (sessions?.size === 0) this.#partners.delete(address);
  }

  isWatched({ address, sessionKey }: SessionName): boolean {
    return this.#partners.get(address)?.has(sessionKey) ?? false;
  }

  /** Every watched session with its partners, for `restore`. Between two entries no trade is half told. */
  rows(): WatchedSession[] {
    return [...this.#partners].flatMap(([address, sessions]) =>
      [...sessions].map(([sessionKey, partners]) => ({ address, sessionKey, partners: [...partners] })),
    );
  }

  restore(rows: readonly WatchedSession[]): void {
    for (const row of rows) {
      this.watch(row);
      const partners = this.#partners.get(row.address)!.get(row.sessionKey)!;
      for (const partner of row.partners) partners.add(partner);
    }
  }

  /** The accounts that were on the other side of a trade which the session signed, since it is watched. */
  partnersOf({ address, sessionKey }: SessionName): ReadonlySet<Address> {
    return this.#partners.get(address)?.get(sessionKey) ?? NOBODY;
  }

  #filled(one: FillOf): void {
    const other = this.#last;
    this.#last = one;
    if (other === null || this.#partners.size === 0 || !isOneTrade(other.fill, one.fill)) return;
    // Its two fills are found: the next begins another.
    this.#last = null;
    this.#note(one, other);
    this.#note(other, one);
  }

  #note({ account, fill }: FillOf, { account: partner }: FillOf): void {
    if (account.address === null || partner.address === null) return;
    const sessions = this.#partners.get(account.address);
    for (const [sessionKey, partners] of sessions ?? [])
      if (fill.signer === undefined || fill.signer === sessionKey) partners.add(partner.address);
  }
}

const NOBODY: ReadonlySet<Address> = new Set();

function isOneTrade(a: FillRecord, b: FillRecord): boolean {
  return (
    b.id === a.id + 1 &&
    a.kind !== 'settlement' &&
    b.kind !== 'settlement' &&
    a.series === b.series &&
    a.side !== b.side &&
    a.qtyMicros === b.qtyMicros
  );
}
