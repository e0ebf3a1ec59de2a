/** The client ids that an account's orders are known by, while they are open and for two minutes after (CID-1). */

import type { AccountIndex } from './ids.ts';
import { CLIENT_ID_REMEMBERED_MS } from './limits.ts';

export interface KnownClientId {
  readonly clientId: string;
  readonly orderId: number;
  /** Milliseconds since the epoch; null while the order is open. */
  closedAt: number | null;
}

interface Closed {
  readonly account: AccountIndex;
  readonly known: KnownClientId;
}

export class ClientIds {
  readonly #byAccount = new Map<AccountIndex, Map<string, KnownClientId>>();
  /** In order of closing, the oldest first. */
  #closed: Closed[] = [];

  /** The order that the account knows by this id at a time, or null. */
  find(account: AccountIndex, clientId: string, nowMs: number): KnownClientId | null {
    const known = this.#byAccount.get(account)?.get(clientId);
    return known !== undefined && isKnown(known, nowMs) ? known : null;
  }

  open(account: AccountIndex, clientId: string, orderId: number): void {
    this.#put(account, { clientId, orderId, closedAt: null });
  }

  close(account: AccountIndex, clientId: string, nowMs: number): void {
    const known = this.#byAccount.get(account)!.get(clientId)!;
    known.closedAt = nowMs;
    this.#closed.push({ account, known });
  }

  /** Adds ids of closed orders to those of a restored state. */
  restoreClosed(account: AccountIndex, rows: readonly KnownClientId[]): void {
    for (const row of rows) {
      const known = { ...row };
      this.#put(account, known);
      this.#closed.push({ account, known });
    }
    this.#closed.sort((a, b) => a.known.closedAt! - b.known.closedAt!);
  }

  /** Those of an account's closed orders that are still known, in order of closing. */
  closedOf(account: AccountIndex, nowMs: number): KnownClientId[] {
    const known = [...(this.#byAccount.get(account)?.values() ?? [])];
    return known
      .filter((one) => one.closedAt !== null && isKnown(one, nowMs))
      .sort((a, b) => a.closedAt! - b.closedAt! || a.orderId - b.orderId);
  }

  /** Forgets the ids that are no longer known. */
  prune(nowMs: number): void {
    const kept = this.#closed.findIndex(({ known }) => isKnown(known, nowMs));
    const gone = kept < 0 ? this.#closed.length : kept;
    for (let i = 0; i < gone; i++) this.#forget(this.#closed[i]!);
    this.#closed = this.#closed.slice(gone);
  }

  #put(account: AccountIndex, known: KnownClientId): void {
    const ids = this.#byAccount.get(account);
    if (ids === undefined) this.#byAccount.set(account, new Map([[known.clientId, known]]));
    else ids.set(known.clientId, known);
  }

  #forget({ account, known }: Closed): void {
    const ids = this.#byAccount.get(account);
    // A later order may have the id by now.
    if (ids?.get(known.clientId) !== known) return;
    ids.delete(known.clientId);
    if (ids.size === 0) this.#byAccount.delete(account);
  }
}

function isKnown({ closedAt }: KnownClientId, nowMs: number): boolean {
  return closedAt === null || nowMs <= closedAt + CLIENT_ID_REMEMBERED_MS;
}
