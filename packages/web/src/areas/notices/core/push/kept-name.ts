/** The place of the list of accounts that this browser has push for; apart from the desk, which few pages load. */

import { readKept } from '../../../../basics/kept.ts';

export const KEPT_PUSH = 'venue push';

/** True if anything may be kept there. */
export function hasPush(storage: () => Pick<Storage, 'getItem'>): boolean {
  return readKept(storage, KEPT_PUSH) !== null;
}
