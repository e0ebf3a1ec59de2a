/** Greeks of contracts by their marks, without a channel of their own. */

import { parseSeriesId } from '@venue/protocol';
import { useEffect, useState } from 'react';
import { venueNowMs } from '../market/clock.ts';
import { heldGreeks, type PriceGreeks } from '../market/greeks.ts';
import { useTerminal } from './terminal.ts';

/** Null for a contract that was not asked for. */
export type GreeksOf = (seriesId: string) => PriceGreeks | null;

const NONE: GreeksOf = () => null;
/** The venue tells of a moved mark within a second, so one that stands for longer is that of the present spot. */
const STILL_MS = 2_000;

/**
 * Works out greeks when marks come, with the spot of that moment: later the spot may have moved before the mark does.
 *
 * @param marks in dollars by series; another map whenever the venue has told of marks
 */
export function useGreeks(marks: ReadonlyMap<string, number>): GreeksOf {
  const { stores } = useTerminal();
  const [greeksOf, setGreeksOf] = useState({ of: NONE });
  useEffect(() => {
    const workOut = () => {
      const { instruments } = stores.listing.getState();
      const spots = new Map(instruments.map(({ symbol, spot }) => [symbol, spot]));
      const nowMs = venueNowMs(stores.link);
      const all = new Map<string, PriceGreeks>();
      for (const [seriesId, mark] of marks) {
        const spot = spots.get(parseSeriesId(seriesId)?.symbol ?? '') ?? Number.NaN;
        all.set(seriesId, heldGreeks(seriesId, mark, { spot, nowMs }));
      }
      setGreeksOf({ of: (seriesId) => all.get(seriesId) ?? null });
    };
    workOut();
    const timer = setInterval(workOut, STILL_MS);
    return () => clearInterval(timer);
  }, [stores, marks]);
  return greeksOf.of;
}
