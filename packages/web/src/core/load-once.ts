/** Parts of the page loaded with the first thing that needs them. */

export interface LoadedOnce<T> {
  /** Loads the part, or gives the loaded one; after a load that failed, the next call tries again. */
  readonly get: () => Promise<T>;
  /** Acts on the part only if it was loaded, or is being loaded. */
  readonly ifLoaded: (act: (part: T) => void) => void;
}

export function loadOnce<T>(load: () => Promise<T>): LoadedOnce<T> {
  let part: Promise<T> | null = null;
  return {
    get() {
      part ??= load().catch((error: unknown) => {
        part = null;
        throw error;
      });
      return part;
    },
    ifLoaded(act) {
      part?.then(act, () => {});
    },
  };
}
