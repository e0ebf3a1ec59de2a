/** Puts the watch list together in the browser, in the script that is loaded with the first star or alert. */

import { KEPT_WATCHED } from './kept-name.ts';
import { keptWatched } from './kept-watched.ts';
import { WatchDesk, type WatchDeskOptions } from './watch-desk.ts';

export function openWatch(options: Omit<WatchDeskOptions, 'kept'>): WatchDesk {
  const kept = keptWatched({ storage: () => localStorage, locks: navigator.locks ?? null });
  addEventListener('storage', ({ key }) => {
    // Without a key the whole storage was cleared.
    if (key === KEPT_WATCHED || key === null) kept.readAgain();
  });
  return new WatchDesk({ ...options, kept });
}
