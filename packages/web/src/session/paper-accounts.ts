/**
 * The paper accounts of this browser: their names, and the keys that the page generated for them. Each has a record of
 * its own, changed in one transaction, so that two tabs may change the list at the same time.
 */

import type { Address, Hex } from '@venue/protocol';
import { walletFromPrivateKey } from '@venue/sdk/browser';
import type { KeptSession } from './kept-session.ts';
import { nameOf, nextName, oldName } from './paper-names.ts';

export const PAPER_ACCOUNTS_MAX = 50;

/** A paper account as it is shown. */
export interface PaperAccount {
  readonly address: Address;
  readonly name: string;
  /** Unix ms. */
  readonly usedMs: number;
  /** False where the browser refused to keep it: it is lost with the page. */
  readonly isKept: boolean;
}

/** How an account joins the list. */
export interface NewPaper {
  /** The next free name where it is missing, or nothing of it can be seen. */
  readonly name?: string;
  /** The account whose name and place it takes; that one goes to the end as an old one. */
  readonly replaces?: string;
  /** The session that was approved for it. */
  readonly session?: KeptSession;
}

/** A kept account. Key and session are as the place keeps secrets; another release, or anybody, may have written it. */
export interface PaperRecord {
  readonly name: string;
  /** Unix ms, by which the list is ordered. */
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
  /** By address, those that the browser refused to keep. */
  readonly #unkept = new Map<string, PaperRecord>();

  constructor(place: PaperPlace, now: () => number = Date.now) {
    this.#place = place;
    this.#now = now;
  }

  /** In their order: oldest first, and each that took the place of another in that place. */
  async list(): Promise<readonly PaperAccount[]> {
    return sorted(await this.#read()).map(([address, { name, usedMs }]) => {
      return { address, name, usedMs, isKept: !this.#unkept.has(address) };
    });
  }

  /** The private key of an account; null where it is not in this browser, or what is kept there is not its key. */
  async keyOf(address: string): Promise<Hex | null> {
    const record = await this.#recordOf(address);
    const key = record === null ? null : await this.#place.openKey(record.key);
    return key !== null && addressOf(key) === address.toLowerCase() ? key : null;
  }

  /** Rejects with a sentence where there is no room for one more. */
  async assertRoom(): Promise<void> {
    if (sorted(await this.#read()).length >= PAPER_ACCOUNTS_MAX)
      throw new RangeError(`This browser keeps ${PAPER_ACCOUNTS_MAX} paper accounts: forget one first.`);
  }

  /**
   * Keeps the account of a key; one that is there already is marked as used. Where the browser refuses to, it lasts as
   * long as the page.
   */
  async add(key: Hex, how: NewPaper = {}): Promise<void> {
    const { session } = how;
    const sealed = await this.#place.seal(key);
    const sealedSession = session === undefined ? null : await this.#place.seal(session.privateKey, session);
    const own = { key: sealed, session: sealedSession };
    const address = addressOf(key);
    try {
      await this.#place.change((kept) =>
        this.#joined(new Map([...kept, ...this.#unkept]), address, own, how),
      );
      this.#unkept.delete(address);
    } catch {
      const known = await this.#read();
      const record = this.#joined(known, address, own, { name: how.name ?? '' }).get(address);
      // An account that was kept before still is, unchanged.
      if (record && !known.has(address)) this.#unkept.set(address, record);
    }
  }

  /** Keeps the session of an account, or with null none. */
  async keepSession(address: string, session: KeptSession | null): Promise<void> {
    const sealed = session === null ? null : await this.#place.seal(session.privateKey, session);
    await this.#changeOne(address, (record) => ({ ...record, session: sealed, usedMs: this.#now() }));
  }

  /** The session of an account that was approved last; null if there is none, or if another's is kept. */
  async sessionOf(address: string): Promise<KeptSession | null> {
    const record = await this.#recordOf(address);
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

  /** Deletes the account's key from this browser, permanently. */
  async forget(address: string): Promise<void> {
    const name = address.toLowerCase();
    if (!this.#unkept.delete(name)) await this.#place.change(() => new Map([[name, null]]));
  }

  /** The changes that add an account to the list, or mark one that is there as used. */
  #joined(
    kept: ReadonlyMap<string, unknown>,
    address: Address,
    own: Pick<PaperRecord, 'key' | 'session'>,
    { name: typed = '', replaces }: NewPaper,
  ): PaperChanges {
    const usedMs = this.#now();
    const known = recordOf(kept.get(address));
    // Sealed again, as what is kept may be nonsense under a good name.
    if (known !== null)
      return new Map([[address, { ...known, usedMs, key: own.key, session: own.session ?? known.session }]]);
    const names = sorted(kept).map(([, { name }]) => name);
    const old = replaces === undefined ? null : recordOf(kept.get(replaces.toLowerCase()));
    if (old === null) {
      const name = nameOf(typed) || nextName(names);
      return new Map([[address, { ...own, name, createdMs: usedMs, usedMs }]]);
    }
    const { name, createdMs } = old;
    return new Map([
      [address, { ...own, name, createdMs, usedMs }],
      [replaces!.toLowerCase(), { ...old, name: oldName(name, names), createdMs: usedMs }],
    ]);
  }

  async #recordOf(address: string): Promise<PaperRecord | null> {
    return recordOf((await this.#read()).get(address.toLowerCase()));
  }

  async #read(): Promise<ReadonlyMap<string, unknown>> {
    // A store that is gone has nothing.
    const kept = await this.#place.read().catch(() => []);
    return new Map([...kept, ...this.#unkept]);
  }

  /** An account that another tab has forgotten meanwhile stays forgotten. */
  async #changeOne(address: string, changed: (record: PaperRecord) => PaperRecord): Promise<void> {
    const name = address.toLowerCase();
    const unkept = this.#unkept.get(name);
    if (unkept !== undefined) {
      this.#unkept.set(name, changed(unkept));
      return;
    }
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

/** The usable ones of the kept records, in their order. */
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
