/** Nonces that pushes to quote sets must be above, so that late packets never bring old prices back (QTS-1). */

import type { AccountIndex } from './ids.ts';
import { NONCE_WINDOW_MS } from './limits.ts';

/** A set of the account by its number, or all of its sets of an underlying. */
export type FloorOf = number | string;

/**
 * The floors of all accounts. They outlive the sets they are about, but only while a nonce at or below them would still
 * be accepted.
 */
export class PushFloors {
  readonly #byAccount = new Map<AccountIndex, Map<FloorOf, number>>();

  /** Never lowers a floor: an act that arrives late leaves the one that overtook it in force. */
  raise(account: AccountIndex, of: FloorOf, nonce: number): void {
    const floors = this.#byAccount.get(account) ?? new Map<FloorOf, number>();
    this.#byAccount.set(account, floors);
    floors.set(of, Math.max(floors.get(of) ?? 0, nonce));
  }

  /** The nonce that a push to a set must be above; null for none. */
  of(account: AccountIndex, { number, symbol }: { number: number; symbol: string }): number | null {
    const floors = this.#byAccount.get(account);
    const highest = Math.max(floors?.get(number) ?? 0, floors?.get(symbol) ?? 0);
    return highest === 0 ? null : highest;
  }

  /** The floors of an account that still matter at a time. */
  rows(account: AccountIndex, ts: number): (readonly [FloorOf, number])[] {
    const floors = [...(this.#byAccount.get(account) ?? [])].filter(([, nonce]) => isLive(nonce, ts));
    return floors.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  }

  /** Forgets what can refuse nothing any more. */
  prune(ts: number): void {
    for (const [account, floors] of this.#byAccount) {
      for (const [of, nonce] of floors) if (!isLive(nonce, ts)) floors.delete(of);
      if (floors.size === 0) this.#byAccount.delete(account);
    }
  }
}

function isLive(nonce: number, ts: number): boolean {
  return nonce >= ts - NONCE_WINDOW_MS;
}
