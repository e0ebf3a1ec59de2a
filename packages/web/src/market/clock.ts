/** The page's estimate of the venue's clock. */

import type { StoreApi } from 'zustand/vanilla';
import type { Link } from './state.ts';

/** Unix milliseconds. Expiries, settlements and trades are timed by it, whatever this machine's clock shows. */
export function venueNowMs(link: StoreApi<Link>): number {
  return Date.now() + link.getState().clockAheadMs;
}
