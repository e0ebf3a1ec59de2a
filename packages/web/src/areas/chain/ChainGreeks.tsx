/** Works out the greeks of the chain on the screen, and shows nothing itself. */

import { useEffect } from 'react';
import { venueNowMs } from '../../market/clock.ts';
import { legGreeks } from '../../market/greeks.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import { useShape } from '../../terminal/use-market.ts';

/** Each move of the spot changes all of them, which nobody reads faster. */
const EVERY_MS = 1_000;

export function ChainGreeks(): null {
  const { market, stores } = useTerminal();
  const shape = useShape();
  useEffect(() => {
    if (shape === null) return undefined;
    const workOut = () => {
      const at = { spot: market.spot, nowMs: venueNowMs(stores.link) };
      market.applyGreeks((leg) => legGreeks(leg.seriesId, market.touchOf(leg), at));
    };
    workOut();
    const timer = setInterval(workOut, EVERY_MS);
    return () => clearInterval(timer);
  }, [market, stores, shape]);
  return null;
}
