/** The client ids that an account's orders are known by, while they are open and for a time after (CID-1). */

import type { AccountIndex } from './ids.ts';
import { CLIENT_ID_REMEMBERED_MS, CLIENT_IDS_REMEMBERED } from './limits.ts';

export interface KnownClientId {
  readonly clientId: string;
  readonly orderId: number;
  /** Milliseconds since the epoch; null while the order is open. */
  closedAt: number | null;
}

/** The ids of one account. */
interface AccountIds {
  readonly open: Map<string, KnownClientId>;
  /** In order of closing, the oldest first; some may be too old. */
  readonly closed: Map<string, KnownClientId>;
}

export class ClientIds {
  readonly #byAccount = new Map<AccountIndex, AccountIds>();
  /** When each account with closed ids is looked through for old ones, milliseconds since the epoch. */
  readonly #checks = new Map<AccountIndex, number>();

  /** The order that the account knows by this id at a time, or null. */
  find(account: AccountIndex, clientId: string, nowMs: number): KnownClientId | null {
    const ids = this.#byAccount.get(account);
    const known = ids?.open.get(clientId) ?? ids?.closed.get(clientId);
    return known !== undefined && isKnown(known, nowMs) ? known : null;
  }

  open(account: AccountIndex, clientId: string, orderId: number): void {
    const { open, closed } = this.#of(account);
    // An order before it may have had the id until a day ago.
    closed.delete(clientId);
    open.set(clientId, { clientId, orderId, closedAt: null });
  }

  close(account: AccountIndex, clientId: string, nowMs: number): void {
    const { open } = this.#of(account);
    const known = open.get(clientId)!;
    open.delete(clientId);
    this.#remember(account, { ...known, closedAt: nowMs });
  }

  /** Adds ids of closed orders to those of a restored state, in order of closing. */
  restoreClosed(account: AccountIndex, rows: readonly KnownClientId[]): void {
    for (const row of rows) this.#remember(account, row);
  }

  /** Those of an account's closed orders that are still known, in order of closing. */
  closedOf(account: AccountIndex, nowMs: number): KnownClientId[] {
    const closed = this.#byAccount.get(account)?.closed.values() ?? [];
    return [...closed].filter((known) => isKnown(known, nowMs));
  }

  /** How many ids are in memory, some of which may be too old. */
  get size(): number {
    return this.#byAccount.values().reduce((sum, { open, closed }) => sum + open.size + closed.size, 0);
  }

  /** Forgets ids that are no longer known; each account is looked at once in the time that an id is remembered. */
  prune(nowMs: number): void {
    for (const [account, atMs] of this.#checks) if (atMs < nowMs) this.#check(account, nowMs);
  }

  #check(account: AccountIndex, nowMs: number): void {
    const { open, closed } = this.#of(account);
    for (const known of closed.values()) {
      if (isKnown(known, nowMs)) break;
      closed.delete(known.clientId);
    }
    if (closed.size > 0) {
      this.#checks.set(account, nowMs + CLIENT_ID_REMEMBERED_MS);
      return;
    }
    this.#checks.delete(account);
    if (open.size === 0) this.#byAccount.delete(account);
  }

  #of(account: AccountIndex): AccountIds {
    const known = this.#byAccount.get(account);
    if (known !== undefined) return known;
    const ids: AccountIds = { open: new Map(), closed: new Map() };
    this.#byAccount.set(account, ids);
    return ids;
  }

  #remember(account: AccountIndex, known: KnownClientId): void {
    const { closed } = this.#of(account);
    if (!this.#checks.has(account)) this.#checks.set(account, known.closedAt! + CLIENT_ID_REMEMBERED_MS);
    closed.set(known.clientId, known);
    if (closed.size <= CLIENT_IDS_REMEMBERED) return;
    const [oldest] = closed.keys();
    closed.delete(oldest!);
  }
}

function isKnown({ closedAt }: KnownClientId, nowMs: number): boolean {
  return closedAt === null || nowMs <= closedAt + CLIENT_ID_REMEMBERED_MS;
}
