/** Parts of the page loaded with the first thing that needs them. */

export interface LoadedOnce<T> {
  /** Loads the part, or gives the loaded one; after a load that failed, the next call tries again. */
  readonly get: () => Promise<T>;
  /** As `get`, but never rejects: asks again until the part comes. Always the same promise, as React needs it to draw the part. */
  readonly wait: () => Promise<T>;
  /** Acts on the part only if it was loaded, or is being loaded. */
  readonly ifLoaded: (act: (part: T) => void) => void;
}

/** Without a network a load fails at once: asked again without a pause, it would keep the page busy. */
const AGAIN_MS = 2_000;

export function loadOnce<T>(load: () => Promise<T>): LoadedOnce<T> {
  let part: Promise<T> | null = null;
  let waited: Promise<T> | null = null;
  const get = () => {
    part ??= load().catch((error: unknown) => {
      part = null;
      throw error;
    });
    return part;
  };
  const wait = async (): Promise<T> => {
    for (;;) {
      try {
        return await get();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
  return {
    get,
    wait() {
      waited ??= wait();
      return waited;
    },
    ifLoaded(act) {
      part?.then(act, () => {});
    },
  };
}
