/** The watched contracts and alerts as the browser keeps them, for all of its tabs. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { KEPT_WATCHED } from './kept-name.ts';
import { NOTHING_WATCHED, readWatched, type Watched } from './watched.ts';

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
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem'>;
  /** Missing where the page is no secure context: two tabs may then fire the same alert. */
  readonly locks: Pick<LockManager, 'request'> | null;
}

export function keptWatched({ storage, locks }: WatchPlace): KeptWatched {
  /** Null where the browser keeps nothing, or kept nothing of the last change. */
  const read = (): Watched | null => {
    try {
      return readWatched(storage().getItem(KEPT_WATCHED));
    } catch {
      return null;
    }
  };
  const store = createStore<Watched>(() => read() ?? NOTHING_WATCHED);
  let isKept = true;
  const apply = (act: (watched: Watched) => Watched) => {
    const before = (isKept ? read() : null) ?? store.getState();
    const after = act(before);
    if (after !== before) {
      try {
        storage().setItem(KEPT_WATCHED, JSON.stringify(after));
        isKept = true;
      } catch {
        // Full or refused: from now on this tab goes by what it has itself.
        isKept = false;
      }
    }
    store.setState(after, true);
    return { before, after };
  };
  return {
    store,
    change: async (act) =>
      locks === null ? apply(act) : locks.request('venue watched', async () => apply(act)),
    readAgain() {
      const kept = read();
      if (kept === null) return;
      isKept = true;
      store.setState(kept, true);
    },
  };
}
