/**
 * Remembers in the browser up to which fill an account's owner has been notified (TERM-5), so that each fill is
 * announced once across tabs and visits. Uses IndexedDB rather than local storage because two tabs may claim at the
 * same moment: a transaction gives the older mark to only one of them.
 */

import { type IDBPDatabase, openDB } from 'idb';
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

async function claimIn(database: IDBPDatabase, key: string, newestId: number): Promise<number | null> {
  const { store, done } = database.transaction(STORE, 'readwrite');
  const before: number | undefined = await store.get(key);
  const isNewer = before === undefined || newestId > before;
  await Promise.all([isNewer && store.put(newestId, key), done]);
  return before ?? null;
}

async function openDatabase(): Promise<IDBPDatabase> {
  return openDB(DATABASE, 1, { upgrade: (database) => void database.createObjectStore(STORE) });
}
