/** Where this browser keeps which accounts it is told of; apart from the desk, which few pages load. */

export const KEPT_PUSH = 'venue push';

/** True if anything may be kept there. */
export function hasPush(storage: () => Pick<Storage, 'getItem'>): boolean {
  try {
    return storage().getItem(KEPT_PUSH) !== null;
  } catch {
    return false;
  }
}
