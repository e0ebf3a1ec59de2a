/** The venue's time for countdowns. */

import { useEffect, useState } from 'react';
import { venueNowMs } from '../market/clock.ts';
import { useTerminal } from './terminal.ts';

/** Unix milliseconds, rounded to whole steps; re-renders with each. */
export function useVenueNow(stepMs = 1_000): number {
  const { stores } = useTerminal();
  const [steps, setSteps] = useState(() => Math.floor(venueNowMs(stores.link) / stepMs));
  useEffect(() => {
    const read = () => setSteps(Math.floor(venueNowMs(stores.link) / stepMs));
    read();
    // Twice per step, so that each is at most half a step late.
    const timer = setInterval(read, stepMs / 2);
    return () => clearInterval(timer);
  }, [stores, stepMs]);
  return steps * stepMs;
}
