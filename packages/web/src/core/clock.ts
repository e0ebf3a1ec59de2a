/** The venue's clock, as far as the page knows it. */

import type { StoreApi } from 'zustand/vanilla';
import type { Link } from './stores.ts';

/** Unix milliseconds: what expiries, settlements and trades are timed by, whatever the clock of this machine says. */
export function venueNowMs(link: StoreApi<Link>): number {
  return Date.now() + link.getState().clockAheadMs;
}
