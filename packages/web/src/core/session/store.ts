/**
 * Stores a session key between visits. No platform keeps secp256k1 keys, so it is stored in IndexedDB, encrypted with
 * an AES key that scripts can use but not read: a copy of the storage is useless. Where that is impossible (no secure
 * context, storage refused) the key lives as long as the page, and the page says so.
 */

import type { Address, Hex } from '@venue/protocol';

/** What is stored with the key: all that is needed to resume without the wallet. */
export interface SessionRecord {
  readonly account: Address;
  readonly sessionKey: Address;
  readonly expiresAtMs: number;
  /** The wallet's signature of the approval; posting it again returns a new token. */
  readonly approval: Hex;
  /** The venue's address and the id of the deployment there, which the key is for; absent in a session of before. */
  readonly url?: string;
  readonly venue?: string;
  /** Name of the wallet; null for a key that the page generated. */
  readonly wallet: string | null;
}

export interface KeptSession extends SessionRecord {
  readonly privateKey: Hex;
}

export interface SessionStore {
  /** False where the key is lost with the page. */
  readonly isLasting: boolean;
  load(): Promise<KeptSession | null>;
  save(session: KeptSession): Promise<void>;
  /** Deletes the session; a key that the page generated stays. */
  clear(): Promise<void>;
  /** The private key of the paper account that this page generated, if any. */
  loadWalletKey(): Promise<Hex | null>;
  saveWalletKey(key: Hex): Promise<void>;
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
    const store = new LastingStore(await openDatabase(), venue);
    await store.load();
    return store;
  } catch {
    return new MemoryStore();
  }
}

class MemoryStore implements SessionStore {
  readonly isLasting = false;
  #session: KeptSession | null = null;
  #walletKey: Hex | null = null;

  async load(): Promise<KeptSession | null> {
    return this.#session;
  }

  async save(session: KeptSession): Promise<void> {
    this.#session = session;
  }

  async clear(): Promise<void> {
    this.#session = null;
  }

  async loadWalletKey(): Promise<Hex | null> {
    return this.#walletKey;
  }

  async saveWalletKey(key: Hex): Promise<void> {
    this.#walletKey = key;
  }
}

class LastingStore implements SessionStore {
  readonly isLasting = true;
  readonly #database: IDBDatabase;
  /** A browser may use several venues. */
  readonly #venue: string;

  constructor(database: IDBDatabase, venue: string) {
    this.#database = database;
    this.#venue = venue;
  }

  async load(): Promise<KeptSession | null> {
    const kept = await this.#open(`session ${this.#venue}`);
    return kept?.record == null ? null : { ...kept.record, privateKey: kept.secret };
  }

  async save({ privateKey, ...record }: KeptSession): Promise<void> {
    await this.#seal(`session ${this.#venue}`, privateKey, record);
  }

  async clear(): Promise<void> {
    await ask(this.#store('readwrite').delete(`session ${this.#venue}`));
  }

  async loadWalletKey(): Promise<Hex | null> {
    return (await this.#open(`wallet ${this.#venue}`))?.secret ?? null;
  }

  async saveWalletKey(key: Hex): Promise<void> {
    await this.#seal(`wallet ${this.#venue}`, key, null);
  }

  async #open(key: string): Promise<{ record: SessionRecord | null; secret: Hex } | null> {
    const kept = await ask<Sealed | undefined>(this.#store('readonly').get(key));
    if (kept === undefined) return null;
    const { record, sealer, iv, sealed } = kept;
    const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, sealer, sealed);
    return { record, secret: new TextDecoder().decode(bytes) as Hex };
  }

  async #seal(key: string, secret: Hex, record: SessionRecord | null): Promise<void> {
    const usages: KeyUsage[] = ['encrypt', 'decrypt'];
    const sealer = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, usages);
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const bytes = new TextEncoder().encode(secret);
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, sealer, bytes);
    bytes.fill(0);
    await ask(this.#store('readwrite').put({ record, sealer, iv, sealed } satisfies Sealed, key));
  }

  #store(mode: IDBTransactionMode): IDBObjectStore {
    return this.#database.transaction(STORE, mode).objectStore(STORE);
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return ask(request);
}

function ask<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser refused its storage'));
  });
}
