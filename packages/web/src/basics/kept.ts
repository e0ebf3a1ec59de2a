/** Values that the browser keeps under a name: between visits, or for a tab between its loads. */

export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * The value that is kept; null if there is none, where the browser refuses storage, and for what is no JSON. Another
 * release, or anybody, may have written it.
 */
export function readKept(storage: () => Pick<Storage, 'getItem'>, name: string): unknown {
  try {
    return JSON.parse(storage().getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a value, or with null nothing. False where storage is full or refused, and what was kept stays. */
export function writeKept(storage: () => Storage, name: string, value: unknown): boolean {
  try {
    if (value === null) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export type Members = Readonly<Record<string, unknown>>;

/** The members of a value that may be anything. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' ? { ...value } : {};
}
