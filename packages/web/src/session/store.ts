/**
 * Stores a session key between visits. No platform keeps secp256k1 keys, so it is stored in IndexedDB, encrypted with
 * an AES key that scripts can use but not read: a copy of the storage is useless. Where that is impossible (no secure
 * context, storage refused) the key lives as long as the page, and the page says so.
 */

import type { Hex } from '@venue/protocol';
import { type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import { inTime, STORAGE_LIMIT_MS } from '../basics/in-time.ts';
import type { KeptSession, SessionRecord } from './kept-session.ts';
import { PaperAccounts, type PaperChanges, type PaperPlace } from './paper-accounts.ts';

export interface SessionStore {
  /** False where the key is lost with the page, as after a save that the browser refused. */
  readonly isLasting: boolean;
  load(): Promise<KeptSession | null>;
  /** Never rejects: what the browser refuses lasts as long as the page. */
  save(session: KeptSession): Promise<void>;
  /** Deletes the session; the keys of paper accounts stay. */
  clear(): Promise<void>;
  readonly papers: PaperAccounts;
}

const DATABASE = 'venue';
const STORE = 'session';
const IV_BYTES = 12;

interface Sealed {
  readonly record: SessionRecord | null;
  readonly sealer: CryptoKey;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

/** Opens this browser's store, and tests it before relying on it. */
export async function openSessionStore(venue: string): Promise<SessionStore> {
  try {
    const store = new LastingStore(new Database(), venue);
    await inTime(store.load(), STORAGE_LIMIT_MS);
    return store;
  } catch {
    return new MemoryStore();
  }
}

class MemoryStore implements SessionStore {
  readonly isLasting = false;
  readonly papers = new PaperAccounts(new MemoryPapers());
  #session: KeptSession | null = null;

  async load(): Promise<KeptSession | null> {
    return this.#session;
  }

  async save(session: KeptSession): Promise<void> {
    this.#session = session;
  }

  async clear(): Promise<void> {
    this.#session = null;
  }
}

/** Paper accounts that are lost with the page. Nothing is sealed, as nothing is written. */
export class MemoryPapers implements PaperPlace {
  readonly #records = new Map<string, unknown>();

  async read(): Promise<ReadonlyMap<string, unknown>> {
    return new Map(this.#records);
  }

  async change(decide: (kept: ReadonlyMap<string, unknown>) => PaperChanges): Promise<void> {
    for (const [address, record] of decide(this.#records)) {
      if (record === null) this.#records.delete(address);
      else this.#records.set(address, record);
    }
  }

  async seal(secret: Hex, session?: KeptSession): Promise<unknown> {
    return session ?? secret;
  }

  async openKey(sealed: unknown): Promise<Hex | null> {
    return typeof sealed === 'string' ? (sealed as Hex) : null;
  }

  async openSession(sealed: unknown): Promise<KeptSession | null> {
    return typeof sealed === 'object' ? (sealed as KeptSession | null) : null;
  }
}

class LastingStore implements SessionStore {
  readonly papers: PaperAccounts;
  readonly #database: Database;
  /** A browser may use several venues. */
  readonly #venue: string;
  /** The session that the browser refused to keep. */
  #unkept: KeptSession | null = null;

  constructor(database: Database, venue: string) {
    this.#database = database;
    this.#venue = venue;
    this.papers = new PaperAccounts(new LastingPapers(database, venue));
  }

  get isLasting(): boolean {
    return this.#unkept === null;
  }

  async load(): Promise<KeptSession | null> {
    if (this.#unkept !== null) return this.#unkept;
    const { store } = await this.#database.begin('readonly');
    const kept: Sealed | undefined = await store.get(`session ${this.#venue}`);
    // A damaged one counts as none: the paper accounts beside it are as good as before.
    return kept === undefined ? null : sessionIn(kept).catch(() => null);
  }

  async save(session: KeptSession): Promise<void> {
    const { privateKey, ...record } = session;
    const sealed = await seal(privateKey, record);
    this.#unkept = await this.#database
      .write((store) => store.put(sealed, `session ${this.#venue}`))
      .then(
        () => null,
        () => session,
      );
  }

  async clear(): Promise<void> {
    this.#unkept = null;
    await this.#database.write((store) => store.delete(`session ${this.#venue}`));
  }
}

class LastingPapers implements PaperPlace {
  readonly #database: Database;
  readonly #prefix: string;

  constructor(database: Database, venue: string) {
    this.#database = database;
    this.#prefix = `paper ${venue} `;
  }

  async read(): Promise<ReadonlyMap<string, unknown>> {
    return this.#keptIn((await this.#database.begin('readonly')).store);
  }

  change(decide: (kept: ReadonlyMap<string, unknown>) => PaperChanges): Promise<void> {
    return this.#database.write(async (store) => {
      const changes = [...decide(await this.#keptIn(store))];
      await Promise.all(
        changes.map(([address, record]) =>
          record === null ? store.delete(this.#prefix + address) : store.put(record, this.#prefix + address),
        ),
      );
    });
  }

  async seal(secret: Hex, session?: KeptSession): Promise<unknown> {
    if (session === undefined) return seal(secret, null);
    const { privateKey, ...record } = session;
    return seal(privateKey, record);
  }

  async openKey(sealed: unknown): Promise<Hex | null> {
    return secretIn(sealed as Sealed).catch(() => null);
  }

  async openSession(sealed: unknown): Promise<KeptSession | null> {
    return sessionIn(sealed as Sealed).catch(() => null);
  }

  async #keptIn(store: Store<'readonly' | 'readwrite'>): Promise<ReadonlyMap<string, unknown>> {
    const range = IDBKeyRange.bound(this.#prefix, `${this.#prefix}\uffff`);
    const [names, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
    return new Map(names.map((name, i) => [String(name).slice(this.#prefix.length), values[i]]));
  }
}

async function sessionIn(sealed: Sealed): Promise<KeptSession | null> {
  return sealed.record === null ? null : { ...sealed.record, privateKey: await secretIn(sealed) };
}

async function secretIn({ sealer, iv, sealed }: Sealed): Promise<Hex> {
  const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, sealer, sealed);
  return new TextDecoder().decode(bytes) as Hex;
}

async function seal(secret: Hex, record: SessionRecord | null): Promise<Sealed> {
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  const sealer = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, usages);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const bytes = new TextEncoder().encode(secret);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, sealer, bytes);
  bytes.fill(0);
  return { record, sealer, iv, sealed };
}

type Store<Mode extends IDBTransactionMode> = IDBPObjectStore<unknown, [typeof STORE], typeof STORE, Mode>;

/** The browser's database, opened again where the browser has closed it, as it does when its data is cleared. */
class Database {
  #opened: Promise<IDBPDatabase> | null = null;

  async begin<Mode extends IDBTransactionMode>(mode: Mode) {
    try {
      return (await this.#database()).transaction(STORE, mode);
    } catch {
      this.#opened = null;
      return (await this.#database()).transaction(STORE, mode);
    }
  }

  /** Resolves once all is written, as a full storage refuses only then. Writes nothing where `act` fails. */
  async write(act: (store: Store<'readwrite'>) => Promise<unknown>): Promise<void> {
    const transaction = await this.begin('readwrite');
    const acted = act(transaction.store).catch((error) => {
      transaction.abort();
      throw error;
    });
    await Promise.all([acted, transaction.done]);
  }

  #database(): Promise<IDBPDatabase> {
    this.#opened ??= openDB(DATABASE, 1, {
      upgrade: (database) => void database.createObjectStore(STORE),
      // Nobody has to wait for this page to delete it.
      blocking: (_before, _after, { target }) => (target as IDBDatabase).close(),
    });
    return this.#opened;
  }
}
