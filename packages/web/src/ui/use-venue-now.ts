/** The venue's time for what counts down. */

import { useEffect, useState } from 'react';
import { venueNowMs } from '../core/clock.ts';
import { useTerminal } from '../kit/terminal.ts';

/** Unix milliseconds, on whole steps; drawn again with each. */
export function useVenueNow(stepMs = 1_000): number {
  const { stores } = useTerminal();
  const [steps, setSteps] = useState(() => Math.floor(venueNowMs(stores.link) / stepMs));
  useEffect(() => {
    const read = () => setSteps(Math.floor(venueNowMs(stores.link) / stepMs));
    read();
    // Twice a step, so that none is seen late by more than half of it.
    const timer = setInterval(read, stepMs / 2);
    return () => clearInterval(timer);
  }, [stores, stepMs]);
  return steps * stepMs;
}
