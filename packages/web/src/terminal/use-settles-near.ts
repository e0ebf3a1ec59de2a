/** The price that an expiry settles near, in its last half hour. */

import { useCallback, useEffect, useState } from 'react';
import { venueNowMs } from '../market/clock.ts';
import { type SettlesNear, seriesSettlesNear, settlesNear } from '../market/settles-near.ts';
import { useTerminal } from './terminal.ts';

/** A function that answers for a contract at the moment in which it is asked. */
export function useSettlesNearNow(): (seriesId: string) => SettlesNear | null {
  const { histories, stores } = useTerminal();
  return useCallback(
    (seriesId) => seriesSettlesNear(histories, { seriesId, nowMs: venueNowMs(stores.link) }),
    [histories, stores],
  );
}

const EVERY_MS = 1_000;

/** Dollars to four digits, so that a picture is not drawn again for less; undefined but in the last half hour. */
export function useEstimate(symbol: string, expiryTs: number): number | undefined {
  const { histories, stores } = useTerminal();
  const [estimate, setEstimate] = useState<number | undefined>();
  useEffect(() => {
    const read = () => {
      const near = settlesNear(histories, { symbol, expiryTs, nowMs: venueNowMs(stores.link) });
      setEstimate(near === null ? undefined : Number(near.price.toPrecision(4)));
    };
    read();
    const timer = setInterval(read, EVERY_MS);
    return () => clearInterval(timer);
  }, [histories, stores, symbol, expiryTs]);
  return estimate;
}
