/** The name under which the browser keeps the watch list: known before any of it is loaded. */

export const KEPT_WATCHED = 'venue-watched';

/** True where something was ever watched in this browser. */
export function hasWatched(storage: () => Pick<Storage, 'getItem'>): boolean {
  try {
    return storage().getItem(KEPT_WATCHED) !== null;
  } catch {
    return false;
  }
}
