/** The watched contracts and alerts as the browser keeps them, for all of its tabs. */

import type { StoreApi } from 'zustand/vanilla';
import type { Storage } from '../../../basics/kept.ts';
import { keptStore } from '../../../basics/kept-store.ts';
import { KEPT_WATCHED } from './kept-name.ts';
import { type Watched, watchedOf } from './watched.ts';

export interface KeptWatched {
  readonly store: StoreApi<Watched>;
  /**
   * Changes what all tabs have, one tab at a time, and gives what was changed. Without storage it lasts as long as the
   * page. Rejects with what the change throws.
   */
  change(act: (watched: Watched) => Watched): Promise<{ readonly before: Watched; readonly after: Watched }>;
  /** Another tab has changed it. */
  readAgain(): void;
}

export interface WatchPlace {
  readonly storage: () => Storage;
  /** Missing where the page is no secure context: two tabs may then fire the same alert. */
  readonly locks: Pick<LockManager, 'request'> | null;
}

export function keptWatched({ storage, locks }: WatchPlace): KeptWatched {
  const store = keptStore<Watched>({ storage, name: KEPT_WATCHED, usable: watchedOf });
  /** False once the browser has kept nothing of a change: from then on this tab goes by what it has itself. */
  let isKept = true;
  const apply = (act: (watched: Watched) => Watched) => {
    if (isKept) void store.persist.rehydrate();
    const before = store.getState();
    const after = act(before);
    if (after !== before) isKept = store.setState(after, true) !== false;
    return { before, after };
  };
  return {
    store,
    change: async (act) =>
      locks === null ? apply(act) : locks.request('venue watched', async () => apply(act)),
    readAgain() {
      isKept = true;
      void store.persist.rehydrate();
    },
  };
}
