/** Fills that happened to an account without anybody's doing, each told of once, also after the page was closed meanwhile. */

import type { FillRecord } from '@venue/protocol';

/** What of the browser's storage is used; it may refuse. */
export type SeenPlace = Pick<Storage, 'getItem' | 'setItem'> | null;

export class Strays {
  readonly #place: SeenPlace;
  readonly #seen = new Map<string, number>();

  constructor(place: SeenPlace) {
    this.#place = place;
  }

  /**
   * Liquidations and settlements among fills (newest first) that are newer than all that was seen of the account before,
   * oldest first. The first look at an account in this browser tells of nothing: it is all history.
   */
  take(account: string, fills: readonly FillRecord[]): FillRecord[] {
    const seen = this.#lastSeen(account);
    const newest = fills[0]?.id ?? 0;
    if (seen === null || newest > seen) this.#keep(account, newest);
    if (seen === null) return [];
    return fills.filter(({ id, kind }) => id > seen && kind !== 'trade').reverse();
  }

  #lastSeen(account: string): number | null {
    const own = this.#seen.get(account);
    try {
      const kept = this.#place?.getItem(nameOf(account)) ?? null;
      // Another tab may have told of it already.
      return kept === null ? (own ?? null) : Math.max(own ?? 0, Number(kept));
    } catch {
      return own ?? null;
    }
  }

  #keep(account: string, id: number): void {
    this.#seen.set(account, id);
    try {
      this.#place?.setItem(nameOf(account), String(id));
    } catch {
      // Told of again after a reload, which is the lesser evil.
    }
  }
}

function nameOf(account: string): string {
  return `venue seen ${account.toLowerCase()}`;
}
