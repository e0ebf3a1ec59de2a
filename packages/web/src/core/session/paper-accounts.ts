/**
 * The paper accounts of this browser: their names, and the keys that the page generated for them. Each has a record of
 * its own, changed in one transaction, so that two tabs may change the list at the same time.
 */

import type { Address, Hex } from '@venue/protocol';
import { walletFromPrivateKey } from '@venue/sdk/browser';
import type { KeptSession } from './kept-session.ts';
import { nameOf, nextName } from './paper-names.ts';

export const PAPER_ACCOUNTS_MAX = 50;

/** A paper account as it is shown. */
export interface PaperAccount {
  readonly address: Address;
  readonly name: string;
}

/** A kept account. Key and session are as the place keeps secrets; another release, or anybody, may have written it. */
export interface PaperRecord {
  readonly name: string;
  /** Unix ms. */
  readonly createdMs: number;
  readonly usedMs: number;
  readonly key: unknown;
  /** The session that was last approved for it; null after it was signed out. */
  readonly session: unknown;
}

/** Changed records by address; null deletes one. */
export type PaperChanges = ReadonlyMap<string, PaperRecord | null>;

/** The store of the records. Rejects where the browser refuses. */
export interface PaperPlace {
  read(): Promise<ReadonlyMap<string, unknown>>;
  /** Reads all and writes the changes with no other tab between; what `decide` throws changes nothing. */
  change(decide: (kept: ReadonlyMap<string, unknown>) => PaperChanges): Promise<void>;
  seal(secret: Hex, session?: KeptSession): Promise<unknown>;
  /** Null for what is no kept key of this browser. */
  openKey(sealed: unknown): Promise<Hex | null>;
  openSession(sealed: unknown): Promise<KeptSession | null>;
}

export class PaperAccounts {
  readonly #place: PaperPlace;
  readonly #now: () => number;

  constructor(place: PaperPlace, now: () => number = Date.now) {
    this.#place = place;
    this.#now = now;
  }

  /** Oldest first. */
  async list(): Promise<readonly PaperAccount[]> {
    return sorted(await this.#place.read()).map(([address, { name }]) => ({ address, name }));
  }

  /** The account that was used last, or null. */
  async lastUsed(): Promise<Address | null> {
    const known = sorted(await this.#place.read()).sort(([, one], [, other]) => other.usedMs - one.usedMs);
    return known[0]?.[0] ?? null;
  }

  /** The private key of an account; null where it is not in this browser, or what is kept there is not its key. */
  async keyOf(address: string): Promise<Hex | null> {
    const record = recordOf((await this.#place.read()).get(address.toLowerCase()));
    const key = record === null ? null : await this.#place.openKey(record.key);
    return key !== null && addressOf(key) === address.toLowerCase() ? key : null;
  }

  /** Keeps the account of a key, under the next name; one that is there already is marked as used. */
  async add(key: Hex): Promise<void> {
    const address = addressOf(key);
    const sealed = await this.#place.seal(key);
    await this.#place.change((kept) => {
      const usedMs = this.#now();
      const known = recordOf(kept.get(address));
      // Sealed anew, as what is kept may be nonsense under a good name.
      if (known !== null) return new Map([[address, { ...known, usedMs, key: sealed }]]);
      const others = sorted(kept);
      if (others.length >= PAPER_ACCOUNTS_MAX)
        throw new Error(`This browser keeps ${PAPER_ACCOUNTS_MAX} paper accounts: forget one first.`);
      const name = nextName(others.map(([, other]) => other.name));
      return new Map([[address, { name, createdMs: usedMs, usedMs, key: sealed, session: null }]]);
    });
  }

  /** Keeps the session of an account, or with null none. */
  async keepSession(address: string, session: KeptSession | null): Promise<void> {
    const sealed = session === null ? null : await this.#place.seal(session.privateKey, session);
    await this.#changeOne(address, (record) => ({ ...record, session: sealed, usedMs: this.#now() }));
  }

  /** The session of an account that was approved last; null where there is none, or what is kept is of another. */
  async sessionOf(address: string): Promise<KeptSession | null> {
    const record = recordOf((await this.#place.read()).get(address.toLowerCase()));
    if (record === null || record.session === null) return null;
    const session = await this.#place.openSession(record.session);
    return session?.account.toLowerCase() === address.toLowerCase() ? session : null;
  }

  /** Gives an account another name; false for a name that cannot be seen, which changes nothing. */
  async rename(address: string, typed: string): Promise<boolean> {
    const name = nameOf(typed);
    if (name !== '') await this.#changeOne(address, (record) => ({ ...record, name }));
    return name !== '';
  }

  /** Deletes the account's key from this browser, for ever. */
  async forget(address: string): Promise<void> {
    await this.#place.change(() => new Map([[address.toLowerCase(), null]]));
  }

  /** An account that another tab has forgotten meanwhile stays forgotten. */
  async #changeOne(address: string, changed: (record: PaperRecord) => PaperRecord): Promise<void> {
    const name = address.toLowerCase();
    await this.#place.change((kept) => {
      const record = recordOf(kept.get(name));
      return new Map(record === null ? [] : [[name, changed(record)]]);
    });
  }
}

function addressOf(key: Hex): Address {
  return walletFromPrivateKey(key).address.toLowerCase() as Address;
}

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** The usable ones of the kept records, oldest first. */
function sorted(kept: ReadonlyMap<string, unknown>): [Address, PaperRecord][] {
  const known: [Address, PaperRecord][] = [];
  for (const [address, value] of kept) {
    const record = recordOf(value);
    if (ADDRESS.test(address) && record !== null) known.push([address as Address, record]);
  }
  return known.sort(([, one], [, other]) => one.createdMs - other.createdMs);
}

function recordOf(kept: unknown): PaperRecord | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { name, createdMs, usedMs, key, session } = kept as Partial<Record<keyof PaperRecord, unknown>>;
  if (typeof name !== 'string' || nameOf(name) === '') return null;
  if (!Number.isSafeInteger(createdMs) || !Number.isSafeInteger(usedMs) || key === undefined) return null;
  return {
    name: nameOf(name),
    createdMs: createdMs as number,
    usedMs: usedMs as number,
    key,
    session: session ?? null,
  };
}
