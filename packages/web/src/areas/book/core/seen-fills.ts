/**
 * Remembers in the browser up to which fill an account's owner has been notified (TERM-5), so that each fill is
 * announced once across tabs and visits. Uses IndexedDB rather than local storage because two tabs may claim at the
 * same moment: a transaction gives the older mark to only one of them.
 */

import { inTime, STORAGE_LIMIT_MS } from '../../../basics/in-time.ts';

export interface SeenFills {
  /** Marks fills up to this id as announced and returns the previous mark; null at the first read of an account. */
  claim(account: string, newestId: number): Promise<number | null>;
}

const DATABASE = 'venue-seen';
const STORE = 'fills';

/** Opens this browser's marks; without storage they last as long as the page. */
export async function openSeenFills(venue: string): Promise<SeenFills> {
  const database = await inTime(openDatabase(), STORAGE_LIMIT_MS).catch(() => null);
  const own = new Map<string, number>();
  return {
    async claim(account, newestId) {
      const key = `${venue} ${account.toLowerCase()}`;
      const before = own.get(key) ?? null;
      own.set(key, Math.max(before ?? 0, newestId));
      return database === null ? before : claimIn(database, key, newestId).catch(() => before);
    },
  };
}

function claimIn(database: IDBDatabase, key: string, newestId: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, 'readwrite');
    const store = transaction.objectStore(STORE);
    const asked: IDBRequest<number | undefined> = store.get(key);
    asked.onsuccess = () => {
      if (asked.result === undefined || newestId > asked.result) store.put(newestId, key);
    };
    transaction.oncomplete = () => resolve(asked.result ?? null);
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser refused its storage'));
  });
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser refused its storage'));
  });
}
