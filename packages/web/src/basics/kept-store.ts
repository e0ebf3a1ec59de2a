/** A store whose every change the browser keeps. */

import { persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import { type Members, membersOf, type Storage, writeKept } from './kept.ts';

/** The version of what is kept: another one counts as nothing. */
const VERSION = 1;

interface KeptStoreOptions<T> {
  readonly storage: () => Storage;
  readonly name: string;
  /** The state, out of the members of what is kept, which may be missing or anything. */
  readonly usable: (kept: Members) => T;
}

/**
 * Goes on where the last visit left it. Where the browser keeps nothing it lasts as long as the page, and `setState` returns
 * false.
 */
export function keptStore<T extends object>({ storage, name, usable }: KeptStoreOptions<T>) {
  return createStore<T>()(
    persist(() => usable({}), {
      name,
      version: VERSION,
      merge: (kept) => usable(membersOf(kept)),
      storage: {
        // Where this throws the state stays as it is.
        getItem: (key) => JSON.parse(storage().getItem(key) ?? 'null'),
        setItem: (key, value) => writeKept(storage, key, value),
        removeItem: (key) => writeKept(storage, key, null),
      },
    }),
  );
}
