/** The name under which the browser keeps the watch list: known before any of it is loaded. */

import { readKept } from '../../../basics/kept.ts';

export const KEPT_WATCHED = 'venue-watched';

/** True where something was ever watched in this browser. */
export function hasWatched(storage: () => Pick<Storage, 'getItem'>): boolean {
  return readKept(storage, KEPT_WATCHED) !== null;
}
